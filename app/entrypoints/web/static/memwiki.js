// Keys for those without a mouse, times as the clock on the reader's wall says them, short addresses; all else works without.
"use strict";

(() => {
  function isTyping(element) {
    return element.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName);
  }

  function moveChoice(step) {
    const hits = [...document.querySelectorAll(".hits > li")];
    if (!hits.length) return false;
    const at = hits.findIndex((hit) => hit.classList.contains("chosen"));
    if (at === 0 && step < 0) {
      hits[0].classList.remove("chosen");
      document.querySelector("#q").focus();
      return true;
    }
    const next = Math.min(hits.length - 1, Math.max(0, at + step));
    hits.forEach((hit, index) => hit.classList.toggle("chosen", index === next));
    hits[next].querySelector("a.title").focus({ preventScroll: true });
    hits[next].scrollIntoView({ block: "nearest" });
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isField = isTyping(event.target);
    if (event.key === "/" && !isField) {
      const field = document.querySelector("#q") || document.querySelector("[data-key='/']");
      field.focus();
      field.select();
      event.preventDefault();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const isChoosing = isField ? event.target.id === "q" : document.querySelector(".hits .chosen");
      if (isChoosing && moveChoice(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if (event.key === "Escape" && isField) {
      event.target.blur();
    }
  });

  const day = { day: "2-digit", month: "short", year: "numeric" };
  const minute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const moment = new Intl.DateTimeFormat("en-GB", { ...day, ...minute });
  const clock = new Intl.DateTimeFormat("en-GB", minute);
  const exact = new Intl.DateTimeFormat("en-GB", { ...day, ...minute, second: "2-digit", timeZoneName: "short" });

  function tellTimes(root) {
    for (const time of root.querySelectorAll("time[data-shows]")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      time.title = exact.format(at);
      if (time.dataset.shows === "moment") time.textContent = moment.format(at);
      if (time.dataset.shows === "clock") time.textContent = clock.format(at);
    }
  }

  // An address to share says what is asked for and nothing of what is not.
  document.addEventListener("htmx:configRequest", (event) => {
    const asked = event.detail.parameters;
    for (const [name, value] of Object.entries(asked)) if (value === "") delete asked[name];
  });

  tellTimes(document);
  document.addEventListener("htmx:afterSwap", (event) => tellTimes(event.target));
})();
