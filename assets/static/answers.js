// The recorded answers of a static copy (app/export/static): unpacked once, then any value of any state is put together from a
// template and its numbers.

/** Tables in their order in the file; what is widest comes first, so that each one is aligned. */
const COPY_TABLES = [['doubles', Float64Array], ['singles', Float32Array], ['instances', Uint32Array], ['index', Uint32Array]];
/** Digits that a float32 holds. */
const COPY_DIGITS = 9;

/** Base64 of gzip of a head and its tables. */
async function copyUnpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return copyRead(await new Response(stream).arrayBuffer());
}

function copyRead(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const copy = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = copyAligned(4 + length);
  for (const [name, Table] of COPY_TABLES) {
    copy[name] = new Table(buffer, offset, copy.sizes[name]);
    offset = copyAligned(offset + copy[name].byteLength);
  }
  return copy;
}

const copyAligned = (offset) => Math.ceil(offset / 8) * 8;

/** The instance of a channel at a place: one number, the same wherever the channel shows the same. */
function copyInstance(copy, name, place) {
  const [start, ...strides] = copy.channels[name];
  return copy.index[strides.reduce((at, stride, axis) => at + stride * place[axis], start)];
}

/** An instance as a value: its template with every hole filled. */
function copyValue(copy, instance) {
  const [template, single, double] = copy.instances.subarray(3 * instance, 3 * instance + 3);
  return copyFill(copy.templates[template], { singles: copy.singles, single, doubles: copy.doubles, double });
}

function copyFill(template, from) {
  if (Array.isArray(template)) return template.map((one) => copyFill(one, from));
  if (template === null || typeof template !== 'object') return template;
  if ('#' in template || '##' in template) return copyTake(template, from);
  if ('number' in template) return copyToken(template, from);
  return Object.fromEntries(Object.entries(template).map(([key, one]) => [key, copyFill(one, from)]));
}

function copyTake(hole, from) {
  if ('#' in hole) return from.singles.subarray(from.single, from.single += hole['#']);
  return from.doubles.subarray(from.double, from.double += hole['##']);
}

/** A number of a text: printed as the page prints it. */
function copyToken({ number, digits, text, ...token }, from) {
  const [value] = copyTake({ [number]: 1 }, from);
  const exact = number === '#' && Number.isFinite(value) ? Number(value.toPrecision(COPY_DIGITS)) : value;
  return { ...token, text: text ?? formatNumber(value, digits), value: diagramExact(exact) };
}
