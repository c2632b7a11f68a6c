import { createWav } from "../../../tests/support/sample_documents.ts";
import { assert, assertEquals } from "../../../tests/support/assert.ts";
import { concat } from "../base/std/bytes.ts";
import { cutAudio } from "./cut_audio.ts";

type Bytes = Uint8Array<ArrayBuffer>;

function cutAll(bytes: Bytes, contentType: string): { bytes: Bytes; seconds: number }[] {
  const parts: { bytes: Bytes; seconds: number }[] = [];
  for (let from: number | null = 0; from !== null;) {
    const part = cutAudio(bytes, { contentType, from });
    assert(part.end === null || part.end > from, "it goes on");
    parts.push(part);
    from = part.end;
  }
  return parts;
}

/** Frames of 26 ms: MPEG 1, 128 kbit/s, 44,100 Hz. */
const frame = (number: number) => {
  const bytes = new Uint8Array(417).fill(number % 200);
  bytes.set([0xff, 0xfb, 0x90, 0x00]);
  return bytes;
};
/** A page of one packet, up to a number of samples. */
const oggPage = (samples: number, packet: Bytes) => {
  const page = new Uint8Array(28 + packet.length);
  page.set(new TextEncoder().encode("OggS"));
  new DataView(page.buffer).setBigInt64(6, BigInt(samples), true);
  page.set([1, packet.length], 26);
  page.set(packet, 28);
  return page;
};
const head = [
  oggPage(0, concat([new TextEncoder().encode("OpusHead"), new Uint8Array(11)])),
  oggPage(0, new TextEncoder().encode("OpusTags")),
];
const sounds = Array.from({ length: 300 }, (_, i) => oggPage((i + 1) * 48_000, Uint8Array.of(i % 256)));

Deno.test("recordings are divided into parts of two minutes, which are recordings themselves", async (t) => {
  await t.step("WAV", () => {
    const parts = cutAll(createWav(300), "audio/wav");
    assertEquals(parts.map(({ seconds }) => seconds), [120, 120, 60]);
    for (const { bytes, seconds } of parts) assertEquals(bytes, createWav(seconds));
  });
  await t.step("MP3, without the tag before it", () => {
    const frames = Array.from({ length: 10_000 }, (_, i) => frame(i));
    const tag = Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 0, ...new Uint8Array(256).fill(0xff));
    const parts = cutAll(concat([tag, ...frames]), "audio/mpeg");
    assertEquals(parts.map(({ seconds }) => Math.round(seconds)), [120, 120, 21]);
    assertEquals(concat(parts.map(({ bytes }) => bytes)), concat(frames));
  });
  await t.step("OGG, each with the pages before the sound", () => {
    const parts = cutAll(concat([...head, ...sounds]), "audio/ogg");
    assertEquals(parts.map(({ seconds }) => Math.round(seconds / 10)), [12, 12, 6]);
    for (const { bytes } of parts) assertEquals(bytes.slice(0, head[0]!.length), head[0]);
    const length = concat(sounds).length + parts.length * concat(head).length;
    assertEquals(parts.reduce((sum, { bytes }) => sum + bytes.length, 0), length);
  });
  await t.step("others, and what is no recording, are whole", () => {
    const noise = Uint8Array.from({ length: 5_000 }, (_, i) => i * 7 % 256);
    for (const type of ["audio/mp4", "audio/mpeg", "audio/wav", "audio/ogg"]) {
      assertEquals(cutAll(noise, type).map(({ bytes }) => bytes), [noise], type);
    }
  });
});
