import { createHash } from "node:crypto";
import { digestApiKey } from "../../shared/core/auth/digest.ts";
import { assertEquals } from "../support/assert.ts";
import { inventKey } from "../support/invent_key.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const secret = "0123456789ABCDEFGHIJabcdefghijZz";
const key = inventKey(secret);

const refused: Record<string, string> = {
  "an empty text": "",
  "the prefix alone": "hi_live_",
  "another prefix": key.replace("hi_live_", "hi_test_"),
  "no prefix": key.replace("hi_live_", ""),
  "a prefix in capitals": key.replace("hi_live_", "HI_LIVE_"),
  "a secret that is one short": inventKey(secret.slice(1)),
  "a secret that is one long": inventKey(`${secret}x`),
  "no checksum": `hi_live_${secret}`,
  "a checksum in capitals": `hi_live_${secret}${sha256(secret).slice(0, 6).toUpperCase()}`,
  "a checksum that is one long": `hi_live_${secret}${sha256(secret).slice(0, 7)}`,
  "another key's checksum": `hi_live_${secret}${sha256("other").slice(0, 6)}`,
  "a space before": ` ${key}`,
  "a space after": `${key} `,
  "a line break after": `${key}\n`,
  "two keys": `${key}${key}`,
  "a key on its second line": `x\n${key}`,
  // These have the right checksum, so that only the characters can be the reason.
  "a hyphen in the secret": inventKey(`-${secret.slice(1)}`),
  "an umlaut in the secret": inventKey(`ä${secret.slice(1)}`),
  "a Cyrillic letter in the secret": inventKey(`\u0430${secret.slice(1)}`),
  "a full-width digit in the secret": inventKey(`\uff11${secret.slice(1)}`),
  "an emoji in the secret": inventKey(`😀${secret.slice(2)}`),
  "NUL in the secret": inventKey(`\0${secret.slice(1)}`),
  "half a pair in the secret": inventKey(`\ud83d${secret.slice(1)}`),
};

Deno.test("digestApiKey", async (t) => {
  await t.step("the digest of a good key is the SHA-256 of the whole key", () => {
    assertEquals(key, "hi_live_0123456789ABCDEFGHIJabcdefghijZzf52c3e");
    assertEquals(digestApiKey(key), "51b082350d6969b36b6a385613c600e1d5c234f5995c5532c38a9b02988ac35b");
    assertEquals(digestApiKey(key), sha256(key));
  });

  await t.step("different keys have different digests", () => {
    const other = inventKey([...secret].reverse().join(""));
    assertEquals(digestApiKey(other), sha256(other));
  });

  await t.step("one mistyped character anywhere is refused", () => {
    for (let at = 0; at < key.length; at++) {
      const typo = key[at] === "7" ? "8" : "7";
      const mistyped = key.slice(0, at) + typo + key.slice(at + 1);
      assertEquals(digestApiKey(mistyped), null, mistyped);
    }
  });

  await t.step("two neighbours swapped are refused", () => {
    for (let at = 0; at < key.length - 1; at++) {
      if (key[at] === key[at + 1]) continue;
      const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
      assertEquals(digestApiKey(swapped), null, swapped);
    }
  });

  for (const [what, text] of Object.entries(refused)) {
    await t.step(`${what} is not a key`, () => assertEquals(digestApiKey(text), null));
  }
});
