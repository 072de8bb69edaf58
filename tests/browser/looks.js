// Geometry and contrast of a real page, as design/src/lint.py measures the mock-ups; through shadow roots.
(() => {
  const inside = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])]);
  const all = (selector) => inside(document).filter((e) => e.matches(selector));
  const visible = (e) => {
    const box = e.getBoundingClientRect();
    return (box.width > 0 || box.height > 0) && getComputedStyle(e).visibility !== 'hidden' && e.checkVisibility();
  };
  const name = (e) => e.id || (e.getAttribute('aria-label') ?? '').slice(0, 30) || String(e.getAttribute('class'));
  /** The box of a text's ink: without the room above and below its letters. */
  const ink = (box) => ({ l: box.left + 0.5, r: box.right - 0.5, t: box.top + box.height * 0.2, b: box.bottom - box.height * 0.18 });
  const meets = (a, b) => a.l < b.r && b.l < a.r && a.t < b.b && b.t < a.b;
  const edges = (box) => ({ l: box.left, r: box.right, t: box.top, b: box.bottom });

  function textsOf(svg) {
    return [...svg.querySelectorAll('text')].filter((e) => visible(e) && e.textContent.trim())
      .map((e) => { const r = e.getBoundingClientRect(); return { e, r, x: e.textContent, s: ink(r) }; });
  }

  function checkTexts(svg, texts, out) {
    const id = name(svg), box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
    texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => { if (meets(a.s, b.s)) out.push([id, 'text over text', a.x, b.x]); }));
    for (const t of texts) {
      for (const run of [...t.e.querySelectorAll('tspan'), ...(t.e.children.length ? [] : [t.e])]) {
        const size = parseFloat(getComputedStyle(run).fontSize) * scale;
        if (size < 10.95 && !run.matches('.sub, .acc') && run.textContent.trim()) out.push([id, `text of ${size.toFixed(1)} px`, t.x]);
      }
      if (t.r.left < box.left - 6 || t.r.right > box.right + 6 || t.s.t < box.top - 4 || t.s.b > box.bottom + 4) out.push([id, 'text outside its picture', t.x]);
      const shape = t.e.closest('.node')?.querySelector('.shape')?.getBoundingClientRect();
      if (shape && (t.r.left < shape.left + 2.5 || t.r.right > shape.right - 2.5 || t.s.t < shape.top + 2.5 || t.s.b > shape.bottom - 2.5)) {
        out.push([id, 'text tight in its node', t.x, (t.r.left - shape.left).toFixed(1), (shape.right - t.r.right).toFixed(1)]);
      }
    }
  }

  /** Whether a point of the drawing lies in a node's shape; the box is asked first, because it is cheap. */
  function contains({ shape, b }, x, y) {
    return x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height && shape.isPointInFill(new DOMPoint(x, y));
  }
  const around = ({ b }, x, y, reach) => x > b.x - reach && x < b.x + b.width + reach && y > b.y - reach && y < b.y + b.height + reach;

  function sampled(wires) {
    return wires.map((wire) => {
      const length = wire.getTotalLength(), m = wire.getScreenCTM(), points = [];
      for (let d = 0; d <= length; d += 2) { const p = wire.getPointAtLength(d); points.push([p.x * m.a + m.e, p.y * m.d + m.f, p.x, p.y]); }
      return points;
    });
  }

  function checkWires(svg, texts, nodes, wires, paths, out) {
    const id = name(svg), scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    wires.forEach((wire, i) => {
      const half = ((parseFloat(getComputedStyle(wire).strokeWidth) || 1) * scale) / 2;
      for (const t of texts) {
        if (t.e.closest('.node') || t.e.matches('.pill')) continue;
        const hit = paths[i].find(([x, y]) => x > t.s.l - half && x < t.s.r + half && y > t.s.t - half && y < t.s.b + half);
        if (hit) out.push([id, 'wire through text', wire.getAttribute('class'), t.x]);
      }
      for (const item of nodes) {
        const under = paths[i].filter(([, , x, y]) => around(item, x, y, -3) && contains(item, x, y));
        if (under.length > 6) out.push([id, 'wire under a node', item.node.id, wire.getAttribute('d').slice(0, 40)]);
      }
    });
  }

  /** How far the tip of a head is from the nearest node's border, in units of the drawing. */
  function tipDistance(nodes, x, y) {
    let best = 99;
    for (const item of nodes.filter((one) => around(one, x, y, 9))) {
      const half = parseFloat(getComputedStyle(item.shape).strokeWidth) / 2;
      for (let angle = 0; angle < 360; angle += 15) for (let r = 0; r <= 8; r += 0.25) {
        if (!contains(item, x + r * Math.cos((angle * Math.PI) / 180), y + r * Math.sin((angle * Math.PI) / 180))) continue;
        if (Math.abs(r - half) < Math.abs(best)) best = r - half;
        break;
      }
    }
    return best;
  }

  function checkHeads(svg, nodes, out) {
    for (const head of [...svg.querySelectorAll('.tri, .chev')].filter(visible)) {
      const numbers = head.getAttribute('d').match(/-?[\d.]+/g).map(Number);
      const [x, y] = head.matches('.chev') ? numbers.slice(2, 4) : numbers.slice(0, 2);
      const off = nodes.length ? tipDistance(nodes, x, y) : 0;
      if (Math.abs(off) > 0.75) out.push([name(svg), `head ${off.toFixed(2)} off the border`, head.getAttribute('d').slice(0, 44)]);
    }
  }

  function checkStarts(svg, nodes, wires, paths, out) {
    const near = (item, x, y) => {
      for (let r = 0; r <= 3; r += 0.5) for (let a = 0; a < 360; a += 30) if (contains(item, x + r * Math.cos((a * Math.PI) / 180), y + r * Math.sin((a * Math.PI) / 180))) return true;
      return false;
    };
    wires.forEach((wire, i) => {
      const [, , x, y] = paths[i][0];
      const starts = nodes.some((item) => around(item, x, y, 4) && near(item, x, y))
        || paths.some((points, j) => j !== i && points.some((p) => Math.hypot(p[2] - x, p[3] - y) < 4))
        || [...svg.querySelectorAll('.dot, rect.pill, .delay')].some((e) => { const b = e.getBBox(); return x > b.x - 3 && x < b.x + b.width + 3 && y > b.y - 3 && y < b.y + b.height + 3; });
      if (!starts) out.push([name(svg), 'wire starts nowhere', wire.getAttribute('d').slice(0, 44)]);
    });
  }

  /** Whether a text's ink lies in a shape: a stadium leaves room for it beside its round ends. */
  function inkIn(svg, item, s) {
    const back = svg.getScreenCTM().inverse();
    const steps = (from, to, count) => Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
    return steps(s.l, s.r, 13).some((x) => steps(s.t, s.b, 4).some((y) => {
      const p = new DOMPoint(x, y).matrixTransform(back);
      return contains(item, p.x, p.y);
    }));
  }

  function checkPlaces(svg, texts, nodes, out) {
    const id = name(svg), pills = [...svg.querySelectorAll('rect.pill, .dot, .delay')].filter(visible).map((pill) => edges(pill.getBoundingClientRect()));
    const places = nodes.map((item) => ({ item, s: edges(item.shape.getBoundingClientRect()) })); // measured once: there may be a thousand texts
    for (const t of texts.filter(({ e }) => !e.closest('.node') && !e.matches('.pill'))) {
      for (const { item, s } of places) if (meets(t.s, s) && inkIn(svg, item, t.s)) out.push([id, 'label over a node', t.x, item.node.id]);
      if (svg.matches('.trace')) continue;
      for (const pill of pills) if (meets(t.s, pill)) out.push([id, 'label over a pill or dot', t.x]);
    }
    places.forEach((a, i) => places.slice(i + 1).forEach((b) => {
      const [p, q] = [a.s, b.s];
      if (p.l < q.r - 0.5 && q.l < p.r - 0.5 && p.t < q.b - 0.5 && q.t < p.b - 0.5) out.push([id, 'node over node', a.item.node.id, b.item.node.id]);
    }));
  }

  function checkPage(out) {
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth + 1) out.push(['page', 'scrolls sideways', page.scrollWidth, page.clientWidth]);
    for (const e of all('.card, .blk, .cb, .ch, .eq:not(.eql), .eql > div, h1, h2, h3, .leg, .kv dd, .fld, .rgh, .notice, .step, .plot-summary, .note, .btn, .seg label')) {
      const style = getComputedStyle(e);
      if (visible(e) && !e.matches('.vh') && e.scrollWidth > e.clientWidth + 1 && style.display !== 'inline') out.push(['page', 'overflow', e.className || e.tagName, e.textContent.slice(0, 40), `${e.scrollWidth} > ${e.clientWidth}`]);
    }
    for (const e of all('.card, .cb, .blk, .eq')) if (visible(e) && e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY)) out.push(['page', 'scroll bar inside a card', e.className]);
    const least = innerWidth < 600 ? 39.5 : 32;
    for (const e of all('button, select, summary, .seg label, input.num, input.txt')) {
      const box = e.getBoundingClientRect();
      if (visible(e) && (box.height < least || box.width < 24)) out.push(['page', 'small target', (e.textContent || e.getAttribute('aria-label') || '').slice(0, 24), `${box.width.toFixed(0)} x ${box.height.toFixed(0)}`]);
    }
    for (const e of all('body *')) {
      const own = [...e.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
      if (own && !(e instanceof SVGElement) && !e.closest('.vh, script, style, noscript, option, sub, sup') && visible(e) && parseFloat(getComputedStyle(e).fontSize) < 10.95) out.push(['page', `text of ${getComputedStyle(e).fontSize}`, e.textContent.slice(0, 30)]);
    }
  }

  /** Labels of fields, names and values, equations: lines of text that lie on each other or are cut by their box. */
  function checkLines(out) {
    const lines = all('.lb, .kv dt, .kv dd, .eql > div, .plot-summary, .note, h2, h3, .leg > span, .ro').filter((e) => visible(e) && e.textContent.trim());
    const boxes = lines.map((e) => ({ e, s: edges(e.getBoundingClientRect()), fixed: Boolean(e.closest('.step')) }));
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
      if (a.fixed !== b.fixed || a.e.contains(b.e) || b.e.contains(a.e)) return;
      const [p, q] = [a.s, b.s];
      if (p.l < q.r - 1 && q.l < p.r - 1 && p.t < q.b - 1 && q.t < p.b - 1) out.push(['page', 'line over line', a.e.textContent.slice(0, 30), b.e.textContent.slice(0, 30)]);
    }));
  }

  window.lint = () => {
    const out = [];
    for (const svg of all('svg.fig, .home svg').filter(visible)) {
      const texts = textsOf(svg);
      const nodes = [...svg.querySelectorAll('.node')].map((node) => ({ node, shape: node.querySelector('.shape') })).filter(({ shape }) => shape).map((item) => ({ ...item, b: item.shape.getBBox() }));
      const wires = [...svg.querySelectorAll('path.wire:not(.tri):not(.chev)')].filter(visible), paths = sampled(wires);
      checkTexts(svg, texts, out);
      checkWires(svg, texts, nodes, wires, paths, out);
      checkHeads(svg, nodes, out);
      if (svg.matches('[role=group]')) checkStarts(svg, nodes, wires, paths, out);
      checkPlaces(svg, texts, nodes, out);
    }
    checkPage(out);
    checkLines(out);
    return out.map((finding) => finding.join(' | '));
  };

  // --- contrast -----------------------------------------------------------------------------------------------------

  function colour(text) {
    const rgb = text.match(/rgba?\(([^)]+)\)/), srgb = text.match(/color\(srgb ([^)]+)\)/);
    if (!rgb && !srgb) return null;
    const v = (rgb ?? srgb)[1].split(/[ ,/]+/).map(Number);
    return [...v.slice(0, 3).map((x) => (rgb ? x / 255 : x)), v.length > 3 ? v[3] : 1];
  }
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const luminance = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => sum + weight * (c[i] <= 0.03928 ? c[i] / 12.92 : ((c[i] + 0.055) / 1.055) ** 2.4), 0);

  /** Every element at a point, topmost first: those of the text's own shadow root, then of the trees around it. */
  function stackAt(e, x, y) {
    const found = [];
    for (let root = e.getRootNode(); root; root = root.host?.getRootNode()) found.push(...root.elementsFromPoint(x, y).filter((o) => o.getRootNode() === root));
    return found;
  }
  function paintOf(e) {
    const style = getComputedStyle(e);
    if (e instanceof SVGGeometryElement) {
      const fill = style.fill === 'none' ? null : colour(style.fill);
      return fill && [...fill.slice(0, 3), fill[3] * parseFloat(style.fillOpacity) * parseFloat(style.opacity)];
    }
    return e instanceof SVGElement ? null : colour(style.backgroundColor);
  }
  function groundAt(e, x, y) {
    const layers = [];
    for (const other of stackAt(e, x, y)) {
      if (other.matches('text, tspan') || (e instanceof SVGElement && e.contains(other))) continue;
      const paint = paintOf(other);
      if (paint && paint[3] > 0) { layers.push(paint); if (paint[3] >= 0.999) break; }
    }
    return layers.reverse().reduce((below, paint) => over(paint, below), [1, 1, 1, 1]);
  }

  window.contrast = () => {
    const out = [];
    let strings = 0;
    for (const e of all('svg.fig text, svg.fig tspan, h1, h2, h3, p, label, span, dd, dt, b, a, button, summary, td, th, i, sub, figcaption, div, select, input')) {
      const text = e.matches('input, select') ? e.value : [...e.childNodes].filter((c) => c.nodeType === 3).map((c) => c.textContent).join('').trim();
      if (!text || !visible(e) || e.closest('.vh, :disabled, .bk-Canvas, .waiting') || e.matches('[type=range], [type=radio]')) continue;
      const svg = e instanceof SVGElement, host = svg ? e.closest('text') : e;
      host.scrollIntoView({ block: 'center' });
      const box = host.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
      const ink = colour(svg ? getComputedStyle(e).fill : getComputedStyle(e).color);
      if (!ink) continue;
      const ground = groundAt(host, x, y), [a, b] = [luminance(over(ink, ground)), luminance(ground)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      strings += 1;
      if (ratio < 4.5) out.push(`${text.slice(0, 24)} | ${ratio.toFixed(2)} | ${e.tagName} ${e.getAttribute('class') ?? ''} in ${name(e.closest('svg, .card, header, main') ?? e)}`);
    }
    return { strings, out };
  };
})();
