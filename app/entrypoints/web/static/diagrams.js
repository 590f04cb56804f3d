// Draws the diagrams of a page when they come near: each in a sandboxed frame of its own, one after the other. Its code stays beside it.
"use strict";

(() => {
  const given = document.currentScript.dataset;
  const most = Number(given.count), chars = Number(given.chars), seconds = Number(given.seconds);
  const waiting = [];
  let isDrawing = false;

  function tell(pre, why) {
    const line = document.createElement("p");
    line.className = "meta diagram-fault";
    line.textContent = `Not drawn, so this is its code: ${why}.`;
    pre.before(line);
  }

  function name(code) {
    const said = /^\s*(?:accTitle\s*:|title\s*:?)\s*(.{1,120})$/m.exec(code);
    return said ? `Diagram: ${said[1].trim()}` : "Diagram";
  }

  function show(pre, figure, frame, size) {
    const width = Math.min(10000, Math.max(16, size.width)), height = Math.min(20000, Math.max(16, size.height));
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.maxWidth = `${width}px`;
    // What would be too small to read is moved under the finger instead.
    frame.style.minWidth = `${Math.min(width, Math.max(340, 0.5 * width))}px`;
    figure.classList.remove("drawing");
    const fold = document.createElement("details"), summary = document.createElement("summary");
    fold.className = "fold";
    summary.textContent = "Its code";
    figure.after(fold);
    fold.append(summary, pre);
  }

  function drawNext() {
    const pre = isDrawing ? undefined : waiting.shift();
    if (!pre) return;
    isDrawing = true;
    const code = pre.textContent, figure = document.createElement("figure"), frame = document.createElement("iframe");
    const channel = new MessageChannel();
    const timer = setTimeout(() => end({ fault: `it took longer than ${seconds} seconds` }), seconds * 1000);

    function end(told) {
      clearTimeout(timer);
      channel.port1.close();
      const isDrawn = Number.isFinite(told.width) && Number.isFinite(told.height) && told.width > 0 && told.height > 0;
      if (isDrawn) show(pre, figure, frame, told);
      else {
        figure.remove();
        tell(pre, String(told.fault || "nothing came of it").split("\n")[0].slice(0, 200).replace(/[.:\s]+$/, ""));
      }
      isDrawing = false;
      drawNext();
    }

    figure.className = "diagram drawing";
    figure.tabIndex = 0;
    frame.title = name(code);
    frame.setAttribute("sandbox", "allow-scripts");
    frame.tabIndex = -1;
    frame.src = given.frame;
    channel.port1.onmessage = (event) => end(Object(event.data));
    frame.addEventListener("load", () => frame.contentWindow.postMessage(code, "*", [channel.port2]), { once: true });
    figure.append(frame);
    pre.before(figure);
  }

  const watcher = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      waiting.push(target);
    }
    drawNext();
  }, { rootMargin: "400px" });

  let count = 0;
  for (const pre of document.querySelectorAll("pre.diagram")) {
    if (pre.textContent.length > chars) tell(pre, `it is longer than ${chars.toLocaleString("en")} characters`);
    else if (++count > most) tell(pre, `${most} diagrams of a page are drawn, and this one comes after them`);
    else watcher.observe(pre);
  }
})();
