/* Saves what a page itself draws as a picture that stands alone: as it is shown, on its ground, under its title. */
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SHAPE = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "vector-effect"];
  const TYPE = ["font-family", "font-size", "font-weight", "font-variant-numeric", "letter-spacing"];
  const EDGE = 16; // CSS pixels about the picture
  const HEAD = 36; // and above it, for its title
  const SHARP = 2; // pixels of a PNG to one of CSS
  const BASELINE = 0.79; // of a line's height, counted from its top

  const make = (name, attributes, ...inside) => {
    const element = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    element.append(...inside);
    return element;
  };

  /* --- what is drawn, with the looks its style sheets give it ------------------ */

  /* Paint servers stand elsewhere on the page: they come along. */
  const servers = (drawing) => {
    const found = new Set([...drawing.querySelectorAll("*")]
      .flatMap((shape) => [getComputedStyle(shape).fill, shape.getAttribute("fill")])
      .map((paint) => /url\(["']?#([^"')]+)/.exec(paint)?.[1]).filter(Boolean));
    return [...found].map((id) => document.getElementById(id)).filter(Boolean).map(looking);
  };

  /* Programs that draw SVG know neither what a browser calls a mixed colour, nor where a page keeps its patterns. */
  const plain = (value) => value
    .replace(/color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ [\d.]+)?\)/g, (_, ...parts) => `rgb(${parts.slice(0, 3).map((part) => Math.round(255 * part)).join(", ")})`)
    .replace(/url\(["']?[^#]*#([^"')]+)["']?\)/g, "url(#$1)");

  const looking = (original) => {
    const copy = original.cloneNode(false);
    const style = getComputedStyle(original);
    copy.removeAttribute("class");
    for (const name of original.localName === "text" ? [...SHAPE, ...TYPE] : SHAPE) {
      copy.setAttribute(name, plain(style.getPropertyValue(name)));
    }
    for (const child of original.childNodes) {
      if (child.nodeType !== Node.ELEMENT_NODE) copy.append(child.cloneNode());
      else if (getComputedStyle(child).display !== "none") copy.append(looking(child));
    }
    return copy;
  };

  const drawnAt = (svg, from) => {
    const place = svg.getBoundingClientRect();
    const copy = looking(svg);
    const at = { x: place.x - from.x, y: place.y - from.y, width: place.width, height: place.height };
    Object.entries(at).forEach(([key, value]) => copy.setAttribute(key, value));
    return copy;
  };

  /* --- words beside the drawing ------------------------------------------------- */

  const written = (node, from) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const [place] = range.getClientRects();
    const words = node.textContent.trim().replace(/\s+/g, " ");
    if (!place || !words || !node.parentElement.checkVisibility()) return null;
    const style = getComputedStyle(node.parentElement);
    const looks = { fill: plain(style.color), ...Object.fromEntries(TYPE.map((name) => [name, style.getPropertyValue(name)])) };
    const room = node.parentElement.getBoundingClientRect();
    const box = { x: place.x - from.x, y: place.y - from.y, width: Math.min(place.width, room.right - place.x) + 1, height: place.height };
    return make("svg", box, make("text", { y: place.height * BASELINE, ...looks }, words));
  };

  /* A swatch has its pattern from CSS; the drawing itself has the plain colour, and so has the picture. */
  const swatchAt = (swatch, from) => {
    const place = swatch.getBoundingClientRect();
    const shape = make("rect", { class: swatch.className.replace("swatch-", "fill-"), width: place.width, height: place.height });
    const probe = make("svg", { width: 0, height: 0 }, shape);
    document.body.append(probe);
    const copy = looking(shape);
    probe.remove();
    return make("svg", { x: place.x - from.x, y: place.y - from.y, width: place.width, height: place.height }, copy);
  };

  const parts = (drawing, from) => {
    const found = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) found.push(written(node, from));
      else if (!(node instanceof Element) || !node.checkVisibility()) return;
      else if (node instanceof SVGSVGElement) found.push(drawnAt(node, from));
      else if (node.matches(".swatch")) found.push(swatchAt(node, from));
      else node.childNodes.forEach(walk);
    };
    walk(drawing);
    return found.filter(Boolean);
  };

  /* --- the picture -------------------------------------------------------------- */

  const pictureOf = (drawing, title) => {
    drawing.dataset.taken = "1"; // what sticks to the edge of a scrolled page goes back to its place
    const place = drawing.getBoundingClientRect();
    const inside = parts(drawing, place);
    delete drawing.dataset.taken;
    const [width, height] = [Math.ceil(place.width) + 2 * EDGE, Math.ceil(place.height) + 2 * EDGE + HEAD];
    const page = getComputedStyle(document.body);
    return make("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` },
      make("title", {}, title),
      make("defs", {}, ...servers(drawing)),
      make("rect", { width, height, fill: plain(page.backgroundColor) }),
      make("text", { x: EDGE, y: EDGE + 14, fill: plain(page.color), "font-family": page.fontFamily, "font-size": "16px", "font-weight": 600 }, title),
      make("g", { transform: `translate(${EDGE} ${EDGE + HEAD})` }, ...inside));
  };

  const png = async (picture, address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = SHARP * picture.getAttribute("width");
    canvas.height = SHARP * picture.getAttribute("height");
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  };

  const handOver = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const save = async ({ dataset: { saveDrawing, title, format, filename } }) => {
    const picture = pictureOf(document.getElementById(saveDrawing), title);
    const drawing = new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
    if (format === "svg") return handOver(drawing, `${filename}.svg`);
    const address = URL.createObjectURL(drawing);
    handOver(await png(picture, address), `${filename}.png`);
    URL.revokeObjectURL(address);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-save-drawing]");
    if (button) save(button);
  });
})();
