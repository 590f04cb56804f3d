// Lets the drawn graph settle, be dragged and zoomed; without this script it stands as the server drew it.
"use strict";

(() => {
  const svg = document.querySelector("svg[data-graph]");
  if (!svg || !window.d3) return;
  // A copy: the browser's own rectangle changes with the view.
  const box = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
  const nodes = [...svg.querySelectorAll("[data-dots] > a")].map((link) => {
    const circle = link.querySelector("circle");
    return { link, circle, text: link.querySelector("text"), key: link.dataset.key, r: circle.r.baseVal.value,
      x: circle.cx.baseVal.value, y: circle.cy.baseVal.value };
  });
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const links = [...svg.querySelectorAll("[data-lines] > line")].map((line) => (
    { line, source: byKey.get(line.dataset.from), target: byKey.get(line.dataset.to) }));
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

  function draw() {
    for (const node of nodes) {
      node.x = Math.max(node.r, Math.min(box.width - node.r, node.x));
      node.y = Math.max(node.r, Math.min(box.height - 14, node.y));
      node.circle.setAttribute("cx", node.x);
      node.circle.setAttribute("cy", node.y);
      if (node.text) { node.text.setAttribute("x", node.x); node.text.setAttribute("y", node.y + node.r + 11); }
    }
    for (const { line, source, target } of links) {
      line.setAttribute("x1", source.x); line.setAttribute("y1", source.y);
      line.setAttribute("x2", target.x); line.setAttribute("y2", target.y);
    }
  }

  // Few nodes get more room than many.
  const spread = Math.max(45, Math.min(150, Math.sqrt(box.width * box.height / nodes.length) * 0.8));
  const simulation = d3.forceSimulation(nodes)
    .force("link", d3.forceLink(links).distance(spread).strength(0.3))
    .force("charge", d3.forceManyBody().strength(-3 * spread))
    .force("collide", d3.forceCollide((node) => node.r + 6))
    .force("x", d3.forceX(box.width / 2).strength(0.05))
    .force("y", d3.forceY(box.height / 2).strength(0.08))
    .on("tick", draw);
  if (isStill) { simulation.stop(); simulation.tick(200); draw(); }

  let view = { x: 0, y: 0, k: 1 };
  function look() { svg.setAttribute("viewBox", `${view.x} ${view.y} ${box.width / view.k} ${box.height / view.k}`); }
  function toUnits(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = toUnits(event);
    const k = Math.max(0.5, Math.min(6, view.k * Math.exp(-event.deltaY / 400)));
    view = { k, x: at.x - (at.x - view.x) * view.k / k, y: at.y - (at.y - view.y) * view.k / k };
    look();
  }, { passive: false });

  let grabbed = null, moved = false, from = null;
  svg.addEventListener("pointerdown", (event) => {
    const link = event.target.closest("a[data-key]");
    grabbed = link ? byKey.get(link.dataset.key) : null;
    from = toUnits(event);
    moved = false;
  });
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("pointermove", (event) => {
    if (!from || !event.buttons) return;
    const at = toUnits(event);
    if (Math.hypot(at.x - from.x, at.y - from.y) > 3) moved = true;
    if (grabbed) { grabbed.fx = at.x; grabbed.fy = at.y; simulation.alphaTarget(0.2).restart(); }
    else if (moved) { view.x -= at.x - from.x; view.y -= at.y - from.y; look(); }
  });
  addEventListener("pointerup", () => {
    if (grabbed) { grabbed.fx = null; grabbed.fy = null; simulation.alphaTarget(0); }
    grabbed = null; from = null;
  });
  svg.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);

  function shine(key) {
    const near = new Set([key]);
    for (const { source, target } of links) {
      if (source.key === key) near.add(target.key);
      if (target.key === key) near.add(source.key);
    }
    for (const node of nodes) node.link.classList.toggle("faint", key !== null && !near.has(node.key));
    for (const { line, source, target } of links) line.classList.toggle("faint", key !== null && source.key !== key && target.key !== key);
  }
  for (const { link, key } of nodes) {
    link.addEventListener("pointerenter", () => shine(key));
    link.addEventListener("focus", () => shine(key));
    link.addEventListener("pointerleave", () => shine(null));
    link.addEventListener("blur", () => shine(null));
  }
})();
