// Lets the drawn graph settle, be dragged and zoomed; without this script it stands as the server drew it.
"use strict";

(() => {
  const svg = document.querySelector("svg[data-graph]");
  if (!svg || !window.d3) return;
  // A copy: the browser's own rectangle changes with the view.
  const box = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
  const margin = { side: 60, top: 16, bottom: 24 };
  const nodes = [...svg.querySelectorAll("[data-dots] > a")].map((link) => {
    const circle = link.querySelector("circle"), text = link.querySelector("text");
    return { link, circle, text, key: link.dataset.key, r: circle.r.baseVal.value,
      half: text.textContent.length * 2.9, x: circle.cx.baseVal.value, y: circle.cy.baseVal.value };
  });
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const links = [...svg.querySelectorAll("[data-lines] > line")].map((line) => (
    { line, source: byKey.get(line.dataset.from), target: byKey.get(line.dataset.to) }));
  let view = { x: 0, y: 0, k: 1 };

  function draw() {
    for (const node of nodes) {
      node.circle.setAttribute("cx", node.x);
      node.circle.setAttribute("cy", node.y);
      node.text.setAttribute("x", node.x);
      node.text.setAttribute("y", node.y + (node.r + 11) / Math.sqrt(view.k));
    }
    for (const { line, source, target } of links) {
      line.setAttribute("x1", source.x); line.setAttribute("y1", source.y);
      line.setAttribute("x2", target.x); line.setAttribute("y2", target.y);
    }
  }

  // The most connected are named first, and nobody over another's name; more of them the closer one looks.
  function nameThose() {
    const k = Math.sqrt(view.k);
    const taken = nodes.map(({ x, y, r }) => ({ left: x - r / k, right: x + r / k, top: y - r / k, bottom: y + r / k }));
    for (const node of nodes) {
      const half = node.half / k, top = node.y + (node.r + 1) / k, bottom = top + 14 / k;
      const isFree = taken.every((other) => node.x + half < other.left || node.x - half > other.right
        || bottom < other.top || top > other.bottom);
      node.link.classList.toggle("named", isFree);
      if (isFree) taken.push({ left: node.x - half, right: node.x + half, top, bottom });
    }
  }

  // Settled before anybody sees it move, then fitted into the frame.
  const spread = Math.max(34, Math.min(120, Math.sqrt(box.width * box.height / nodes.length) * 0.8));
  const simulation = d3.forceSimulation(nodes)
    .force("link", d3.forceLink(links).distance(spread).strength(0.25))
    .force("charge", d3.forceManyBody().strength(-4 * spread).distanceMax(6 * spread))
    .force("collide", d3.forceCollide((node) => node.r + 7))
    .force("x", d3.forceX(box.width / 2).strength(0.06))
    .force("y", d3.forceY(box.height / 2).strength(0.11))
    .stop();
  simulation.tick(260);
  fit("x", box.width, margin.side, margin.side);
  fit("y", box.height, margin.top, margin.bottom);
  draw();
  nameThose();
  simulation.on("tick", draw).on("end", nameThose);

  function fit(axis, size, before, behind) {
    const places = nodes.map((node) => node[axis]);
    const low = Math.min(...places), high = Math.max(...places);
    const scale = high > low ? Math.min(1.6, (size - before - behind) / (high - low)) : 1;
    const shift = before + (size - before - behind - (high - low) * scale) / 2;
    for (const node of nodes) node[axis] = shift + (node[axis] - low) * scale;
  }

  function look() {
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${box.width / view.k} ${box.height / view.k}`);
    const k = Math.sqrt(view.k);
    for (const node of nodes) {
      node.circle.setAttribute("r", node.r / k);
      node.text.setAttribute("font-size", 11 / k);
    }
    draw();
    nameThose();
  }
  function toUnits(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }
  svg.addEventListener("wheel", (event) => {
    // The wheel alone scrolls the page, as everywhere else.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const at = toUnits(event);
    const k = Math.max(1, Math.min(8, view.k * Math.exp(-event.deltaY / 300)));
    view = { k, x: at.x - (at.x - view.x) * view.k / k, y: at.y - (at.y - view.y) * view.k / k };
    look();
  }, { passive: false });

  let grabbed = null, moved = false, from = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") return;
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
    if (grabbed && moved) { grabbed.fx = at.x; grabbed.fy = at.y; simulation.alphaTarget(0.15).restart(); }
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
    for (const node of nodes) {
      node.link.classList.toggle("faint", key !== null && !near.has(node.key));
      node.link.classList.toggle("near", key !== null && near.has(node.key));
    }
    for (const { line, source, target } of links) line.classList.toggle("faint", key !== null && source.key !== key && target.key !== key);
  }
  for (const { link, key } of nodes) {
    link.addEventListener("pointerenter", () => shine(key));
    link.addEventListener("focus", () => shine(key));
    link.addEventListener("pointerleave", () => shine(null));
    link.addEventListener("blur", () => shine(null));
  }
  const caption = svg.closest("figure").querySelector("figcaption");
  caption.append(" Drag to move, hold Ctrl and turn the wheel to zoom, point at a dot to see what it is linked with.");
})();
