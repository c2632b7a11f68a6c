import { concat } from "../base/std/bytes.ts";
import { cleanPicture, UnusablePicture } from "./clean_picture.ts";
import { assert, assertEquals, assertRejects } from "../../../tests/support/assert.ts";
import { samplePictures } from "../../../tests/support/sample_pictures.ts";

const encode = (text: string) => new TextEncoder().encode(text);
/** The bytes as text, one character for each. */
const decode = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
const bigEndian = (value: number, bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, index) => value >>> 8 * (bytes - 1 - index) & 0xff);

const { jpeg, progressive, png, lossy, lossless, animated } = samplePictures;

/** A segment of a JPEG. */
const segment = (marker: number, content: Uint8Array) =>
  concat([new Uint8Array([0xff, marker]), bigEndian(content.length + 2, 2), content]);
/** A chunk of a PNG; its checksum is not looked at. */
const chunk = (name: string, content: Uint8Array) =>
  concat([bigEndian(content.length, 4), encode(name), content, new Uint8Array(4)]);
/** Puts bytes into a picture. */
const insert = (picture: Uint8Array, place: number, ...bytes: Uint8Array[]) =>
  concat([picture.slice(0, place), ...bytes, picture.slice(place)]);
/** Changes bytes of a picture. */
function change(picture: Uint8Array, place: number, bytes: Uint8Array): Uint8Array {
  const changed = picture.slice();
  changed.set(bytes, place);
  return changed;
}

/** The markers of a JPEG up to its first scan. */
function markersOf(bytes: Uint8Array): string[] {
  const markers: string[] = [];
  for (let place = 2; markers.at(-1) !== "da"; place += 2 + (bytes[place + 2]! << 8) + bytes[place + 3]!) {
    assertEquals(bytes[place], 0xff);
    markers.push(bytes[place + 1]!.toString(16));
  }
  return markers;
}

/** The names of the chunks of a PNG or WebP. */
function chunksOf(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isPng = bytes[0] === 0x89;
  const names: string[] = [];
  for (let place = isPng ? 8 : 12; place < bytes.length;) {
    const [length, name] = isPng
      ? [view.getUint32(place) + 12, place + 4]
      : [view.getUint32(place + 4, true) + 8, place];
    names.push(decode(bytes.subarray(name, name + 4)));
    place += length + (isPng ? 0 : length % 2);
  }
  return names;
}

Deno.test("a picture keeps its pixels, and loses everything else", async (t) => {
  await t.step("JPEG: tables, frame and scan; no Exif, XMP, IPTC, comment, color profile or preview", async () => {
    const iptc = segment(0xed, encode("Photoshop 3.0\0SECRET"));
    const comment = segment(0xfe, encode("SECRET"));
    // The header of JFIF with a preview of 2 by 1 pixels.
    const jfif = segment(
      0xe0,
      concat([encode("JFIF\0"), new Uint8Array([1, 2, 0, 0, 1, 0, 1, 2, 1]), encode("SECRET")]),
    );
    const adobe = segment(0xee, concat([encode("Adobe"), new Uint8Array([0, 100, 0, 0, 0, 0, 1]), encode("SECRET")]));
    const { bytes, type, extension } = await cleanPicture(
      concat([insert(jpeg, 2, jfif, adobe, iptc, comment), encode("SECRET"), jpeg]),
    );
    assertEquals([type, extension], ["image/jpeg", "jpg"]);
    assert(!/SECRET|Exif|ICC|adobe|http/.test(decode(bytes)), decode(bytes));
    assertEquals(new Set(markersOf(bytes)), new Set(["e0", "ee", "db", "c0", "c4", "da"]));
    assertEquals(
      decode(bytes.subarray(2, 36)),
      "\xff\xe0\0\x10JFIF\0\x01\x02\0\0\x01\0\x01\0\0\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\x01",
    );
    const scan = (bytes: Uint8Array) => decode(bytes).slice(decode(bytes).indexOf("\xff\xda"));
    assertEquals(scan(bytes), scan(jpeg));
  });
  await t.step("JPEG: how a camera was held, and nothing else of its Exif", async () => {
    // The value of the first field; 1 is upright.
    const place = decode(jpeg).indexOf("\x12\x01\x03\0\x01\0\0\0\x01\0") + 8;
    const order = decode(jpeg).indexOf("II*\0");
    const count = order + 8;
    const turned = change(jpeg, place, new Uint8Array([6]));
    const kept = "\xff\xd8\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    const { bytes } = await cleanPicture(turned);
    assertEquals(decode(bytes).slice(0, kept.length), kept);
    assertEquals(decode(bytes).slice(kept.length), decode((await cleanPicture(jpeg)).bytes).slice(2));
    assertEquals((await cleanPicture(bytes)).bytes, bytes);
    // What cannot be meant, and lists that are none, leave it out.
    for (
      const other of [
        change(turned, place, new Uint8Array([9])),
        change(turned, place, new Uint8Array([0])),
        change(turned, count, new Uint8Array([0])),
        change(turned, order + 4, new Uint8Array([0xff, 0xff, 0xff, 0xff])),
        change(turned, order - 6, encode("exif")),
      ]
    ) assert(!/exif/i.test(decode((await cleanPicture(other)).bytes)));
  });
  await t.step("progressive JPEG: all of its scans", async () => {
    const { bytes } = await cleanPicture(progressive);
    assert(!decode(bytes).includes("SECRET"));
    const scans = (bytes: Uint8Array) => decode(bytes).split("\xff\xda").length - 1;
    assertEquals([scans(bytes), markersOf(bytes).includes("c2")], [scans(progressive), true]);
    assert(scans(bytes) > 1);
  });
  await t.step("PNG: no Exif, text, time, color profile or animation, and nothing behind it", async () => {
    const header = png.slice(0, 33);
    const rest = png.slice(33);
    const { bytes, type } = await cleanPicture(concat([
      header,
      chunk("tEXt", encode("Author\0SECRET")),
      chunk("tIME", new Uint8Array(7)),
      chunk("acTL", new Uint8Array(8)),
      chunk("gAMA", new Uint8Array(4)),
      // Too long for a number.
      chunk("gAMA", encode("SECRET")),
      rest,
      encode("SECRET"),
    ]));
    assertEquals(type, "image/png");
    assertEquals(chunksOf(bytes), ["IHDR", "gAMA", "IDAT", "IEND"]);
    assert(!decode(bytes).includes("SECRET"));
  });
  await t.step("WebP: the image, with its transparency", async () => {
    for (const [picture, chunks] of [[lossy, ["VP8X", "ALPH", "VP8 "]], [lossless, ["VP8L"]]] as const) {
      const { bytes, type } = await cleanPicture(concat([picture, encode("SECRET")]));
      assertEquals([type, chunksOf(bytes), decode(bytes).includes("SECRET")], ["image/webp", [...chunks], false]);
      assertEquals(new DataView(bytes.buffer).getUint32(4, true), bytes.length - 8);
    }
    // Transparency, no metadata, 5 by 3 pixels.
    const { bytes } = await cleanPicture(lossy);
    assertEquals([...bytes.subarray(20, 30)], [0x10, 0, 0, 0, 4, 0, 0, 2, 0, 0]);
  });
  await t.step("a second time, nothing is left to remove", async () => {
    for (const picture of [jpeg, progressive, png, lossy, lossless]) {
      const { bytes } = await cleanPicture(picture);
      assertEquals((await cleanPicture(bytes)).bytes, bytes);
    }
  });
});

Deno.test("what is no whole picture is refused with a sentence", async (t) => {
  const placeOfFrame = decode(jpeg).indexOf("\xff\xc0");
  const placeOfScan = decode(jpeg).indexOf("\xff\xda");
  const unknown = "The picture must be a PNG, JPEG or WebP image";
  const damaged = "The picture is damaged";
  const large = "The picture must be at most 4,096 pixels wide and high";
  const wide = bigEndian(4_097, 2);
  const refused: [name: string, picture: Uint8Array, sentence: string][] = [
    ["nothing", new Uint8Array(), unknown],
    ["a page", encode("<html><script>alert(1)</script>"), unknown],
    ["SVG", encode('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), unknown],
    ["GIF", concat([encode("GIF89a"), new Uint8Array(20)]), unknown],
    ["a page that begins as a PNG", concat([png.slice(0, 8), encode("<html><script>alert(1)</script>")]), unknown],
    ["a JPEG that is no more than its beginning", jpeg.slice(0, 20), damaged],
    ["a JPEG without its end", jpeg.slice(0, -2), damaged],
    ["a JPEG without a scan", concat([jpeg.slice(0, placeOfScan), new Uint8Array([0xff, 0xd9])]), damaged],
    ["a JPEG with a scan before its frame", insert(jpeg, 2, jpeg.slice(placeOfScan, -2)), damaged],
    ["a JPEG with two frames", insert(jpeg, placeOfFrame, jpeg.slice(placeOfFrame, placeOfFrame + 19)), damaged],
    ["a JPEG whose segment has no length", insert(jpeg, 2, new Uint8Array([0xff, 0xfe, 0, 0])), damaged],
    ["a JPEG that no browser shows", change(jpeg, placeOfFrame + 1, new Uint8Array([0xc9])), damaged],
    ["a JPEG without height", change(jpeg, placeOfFrame + 5, new Uint8Array(2)), damaged],
    ["a JPEG that is too wide", change(jpeg, placeOfFrame + 7, wide), large],
    ["a PNG without its end", png.slice(0, -12), damaged],
    ["a PNG with a chunk past its end", change(png, 33, bigEndian(0x7fff_ffff, 4)), damaged],
    ["a PNG with a second header", insert(png, 33, png.slice(8, 33)), damaged],
    ["a PNG with a palette that is too long", insert(png, 33, chunk("PLTE", new Uint8Array(771))), damaged],
    ["a PNG without pixels", concat([png.slice(0, 33), png.slice(-12)]), damaged],
    ["a PNG without width", change(png, 16, new Uint8Array(4)), damaged],
    ["a PNG of 4 billion pixels in a row", change(png, 16, bigEndian(0xffff_ffff, 4)), large],
    ["a PNG that is too high", change(png, 20, bigEndian(4_097, 4)), large],
    ["an animated WebP", animated, "The picture must not be animated"],
    ["a WebP without its end", lossy.slice(0, -4), damaged],
    ["a WebP with a chunk past its end", change(lossless, 16, bigEndian(0x00ff_ffff, 4)), damaged],
    ["a WebP without an image", concat([encode("RIFF\x0c\0\0\0WEBPVP8X"), new Uint8Array(4)]), damaged],
  ];
  for (const [name, picture, sentence] of refused) {
    await t.step(name, async () => {
      const error = await assertRejects(() => cleanPicture(picture), UnusablePicture);
      assertEquals(error.message, sentence);
    });
  }
  await t.step("and whatever else: a sentence, or a picture that is whole, at every cut and change", async () => {
    for (const picture of [jpeg, progressive, png, lossy, lossless, animated]) {
      for (let place = 0; place < picture.length; place++) {
        for (const hostile of [picture.slice(0, place), change(picture, place, new Uint8Array([0xff]))]) {
          const cleaned = await cleanPicture(hostile).catch((error) => {
            assert(error instanceof UnusablePicture, String(error));
            return null;
          });
          if (cleaned !== null) assertEquals((await cleanPicture(cleaned.bytes)).bytes, cleaned.bytes);
        }
      }
    }
  });
});
