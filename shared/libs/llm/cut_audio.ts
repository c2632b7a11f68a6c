/** A part of a recording that is a recording itself. `end` is where the next one begins, in bytes; null at the end. */
export type AudioPart = { bytes: Uint8Array<ArrayBuffer>; end: number | null; seconds: number };

/** A shorter part has its words cut, a longer one tells less about when something is said. */
const secondsOfPart = 120;
const maxBytes = 24_000_000;

/** The next two minutes of a recording; all of it for other formats than MP3, WAV and OGG, and for damaged ones. */
export function cutAudio(
  bytes: Uint8Array<ArrayBuffer>,
  { contentType, from }: { contentType: string; from: number },
): AudioPart {
  const cut = contentType === "audio/mpeg"
    ? cutMp3(bytes, from)
    : contentType === "audio/wav"
    ? cutWav(bytes, from)
    : contentType === "audio/ogg"
    ? cutOgg(bytes, from)
    : null;
  return cut ?? { bytes, end: null, seconds: 0 };
}

/** In kbit/s: of MPEG 1 and of MPEG 2, layer III. */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const sampleRates = [44_100, 48_000, 32_000];

/** The length of an MP3 frame, in bytes and seconds; null where none begins. */
function readFrame(bytes: Uint8Array, at: number): { length: number; seconds: number } | null {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || (second & 0x06) !== 0x02) return null;
  const version = second >> 3 & 3;
  const isFirst = version === 3;
  const bitRate = bitRates[isFirst ? 0 : 1]![third >> 4];
  const sampleRate = sampleRates[third >> 2 & 3];
  if (!bitRate || sampleRate === undefined || version === 1) return null;
  const rate = sampleRate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = isFirst ? 1_152 : 576;
  const length = Math.floor(samples / 8 * bitRate * 1_000 / rate) + (third >> 1 & 1);
  return { length, seconds: samples / rate };
}

function cutMp3(bytes: Uint8Array<ArrayBuffer>, from: number): AudioPart | null {
  let at = from;
  // A tag before the sound tells its own length, seven bits a byte.
  if (at === 0 && bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33) {
    at = 10 + bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
  }
  const start = at;
  let seconds = 0;
  while (at < bytes.length && seconds < secondsOfPart && at - start < maxBytes) {
    const frame = readFrame(bytes, at);
    if (frame === null) at++;
    else [at, seconds] = [at + frame.length, seconds + frame.seconds];
  }
  if (seconds === 0 && start === 0) return null;
  return { bytes: bytes.slice(start, at), end: at < bytes.length ? at : null, seconds };
}

function cutWav(bytes: Uint8Array<ArrayBuffer>, from: number): AudioPart | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [rate, width] = [0, 1];
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = view.getUint32(at);
    const length = view.getUint32(at + 4, true);
    if (name === 0x666d7420 && at + 24 <= bytes.length) {
      [rate, width] = [view.getUint32(at + 16, true), view.getUint16(at + 20, true) || 1];
    }
    if (name === 0x64617461) {
      if (rate === 0) return null;
      const data = at + 8;
      const start = Math.max(from, data);
      // Recorders that stream do not know the length yet.
      const last = Math.min(data + length, bytes.length);
      const most = Math.min(rate * secondsOfPart, maxBytes);
      const end = Math.min(start + most - most % width, last);
      const head = bytes.slice(0, data);
      const part = new Uint8Array(data + end - start);
      part.set(head);
      part.set(bytes.subarray(start, end), data);
      const sizes = new DataView(part.buffer);
      sizes.setUint32(4, part.length - 8, true);
      sizes.setUint32(at + 4, end - start, true);
      return { bytes: part, end: end < last ? end : null, seconds: (end - start) / rate };
    }
    at += 8 + length + length % 2;
  }
  return null;
}

/** A page of OGG: its length, and the number of samples up to its end. */
function readOggPage(bytes: Uint8Array, at: number): { length: number; samples: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (at + 27 > bytes.length || view.getUint32(at) !== 0x4f676753) return null;
  const segments = bytes[at + 26]!;
  const length = 27 + segments + bytes.subarray(at + 27, at + 27 + segments).reduce((sum, size) => sum + size, 0);
  const samples = view.getBigInt64(at + 6, true);
  return { length, samples: Number(samples) };
}

function cutOgg(bytes: Uint8Array<ArrayBuffer>, from: number): AudioPart | null {
  const opening = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const vorbis = opening.indexOf("\x01vorbis");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isShort = vorbis === -1 || vorbis + 16 > bytes.length;
  const rate = opening.includes("OpusHead") ? 48_000 : isShort ? 0 : view.getUint32(vorbis + 12, true);
  if (rate === 0) return null;
  // The pages before the sound have no samples. Every part needs them.
  let head = 0;
  for (let page = readOggPage(bytes, 0); page !== null && page.samples === 0; page = readOggPage(bytes, head)) {
    head += page.length;
  }
  const start = Math.max(from, head);
  let [at, first, last] = [start, -1, 0];
  for (let page = readOggPage(bytes, at); page !== null; page = readOggPage(bytes, at)) {
    at += page.length;
    // Within a packet that goes on, it is -1.
    if (page.samples < 0) continue;
    if (first < 0) first = start === head ? 0 : page.samples;
    last = page.samples;
    if (last - first >= rate * secondsOfPart || at - start >= maxBytes) break;
  }
  if (at === start) return null;
  const part = new Uint8Array(head + at - start);
  part.set(bytes.subarray(0, head));
  part.set(bytes.subarray(start, at), head);
  const isLast = readOggPage(bytes, at) === null;
  return { bytes: part, end: isLast ? null : at, seconds: Math.max(0, (last - first) / rate) };
}
