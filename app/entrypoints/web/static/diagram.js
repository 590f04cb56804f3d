// In the frame of one diagram: takes its code through a port, draws it, and gives back how large it is or what is wrong.
"use strict";

(() => {
  const chars = Number(document.currentScript.dataset.chars);
  const fixed = ["secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "suppressErrorRendering", "htmlLabels",
    "fontFamily", "altFontFamily", "themeCSS", "deterministicIds", "dompurifyConfig"];

  function word(error) {
    const said = String(error && error.message || error).slice(0, 500);
    return /no diagram type detected/i.test(said) ? "there is no kind of diagram that begins so" : said;
  }

  async function draw(code) {
    mermaid.initialize({
      startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, secure: fixed, maxTextSize: chars, maxEdges: 500,
      deterministicIds: true, fontFamily: "system-ui, sans-serif", theme: "neutral",
    });
    const { svg } = await mermaid.render("drawn", code);
    document.body.innerHTML = svg;
    const drawn = document.querySelector("svg");
    // A diagram is looked at: nothing in it leads anywhere.
    for (const each of drawn.querySelectorAll("a")) for (const name of each.getAttributeNames()) if (/href|target/i.test(name)) each.removeAttribute(name);
    const { width, height } = drawn.viewBox.baseVal;
    return { width, height };
  }

  addEventListener("message", (event) => {
    const port = event.ports[0];
    if (event.source !== parent || !port) return;
    draw(String(event.data)).then(
      (size) => port.postMessage(size),
      (error) => port.postMessage({ fault: word(error) }),
    );
  }, { once: true });
})();
