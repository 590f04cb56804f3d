// Keys for people who search often: "/" goes to the search field, arrows move between hits, Enter opens one.
"use strict";

function isTyping(element) {
  return element.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName);
}

function moveChoice(step) {
  const hits = [...document.querySelectorAll(".hits > li")];
  if (!hits.length) return false;
  const at = hits.findIndex((hit) => hit.classList.contains("chosen"));
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
    const isChoosing = isField ? event.target.type === "search" : document.querySelector(".hits .chosen");
    if (isChoosing && moveChoice(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
  } else if (event.key === "Escape" && isField) {
    event.target.blur();
  }
});
