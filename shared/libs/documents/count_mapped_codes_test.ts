import { countMappedCodes } from "./count_mapped_codes.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

const rows: Record<string, { text: string; codes: number }> = {
  "a range": { text: "1 beginbfrange\n<00000000> <00FFFFFE> <0041>\nendbfrange", codes: 0xfffffe },
  "ranges of all kinds, and none outside of them": {
    text:
      "1 beginbfrange <0000> <0010> [<41> <42>] <20> <2F> 5 endbfrange <00> <FF> begincidrange <1> <2> 3 endcidrange",
    codes: 0x10 + 0xf + 0x10,
  },
  "a range divided by a comment": { text: "begincidrange <00> % <FF>\n <03> 7 endcidrange", codes: 3 },
  "the end in a comment": { text: "beginbfrange % end\n<00> <10> <00>", codes: 0x10 },
  "an odd number of digits": { text: "beginbfrange <000> <FFF> <1>", codes: 0xfff0 },
  "characters that are no digits": { text: "beginbfrange <0z0> <F-F> <1>", codes: 0xff },
  "more digits than a number holds": { text: `beginbfrange <${"F".repeat(400)}0000> <FFFFFFFF> <1>`, codes: 0xffff },
  "strings that are not written as digits": { text: "beginbfrange (\0\0) (\xff\xff) <00>", codes: 0xffffffff },
  "the words in a text of a page": { text: "(beginbfrange) Tj 0 -12 Td (<00> <FF>) Tj (a) Tj", codes: 0 },
  "no character map": { text: "<00> <FF> <00>", codes: 0 },
};

Deno.test("countMappedCodes", async (t) => {
  for (const [name, { text, codes }] of Object.entries(rows)) {
    await t.step(name, () => assertEquals(countMappedCodes(text), codes));
  }
});
