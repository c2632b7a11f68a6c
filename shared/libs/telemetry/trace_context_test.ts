import { readTraceContext, writeTraceparent } from "./trace_context.ts";
import { assertEquals, assertMatch, assertNotEquals } from "../../../tests/support/assert.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

Deno.test("a valid traceparent is continued", async (t) => {
  const valid: [header: string, isSampled: boolean][] = [
    [`00-${traceId}-${parentId}-01`, true],
    [`00-${traceId}-${parentId}-00`, false],
    [`00-${traceId}-${parentId}-03`, true],
    [`00-${traceId}-${parentId}-02`, false],
    [`00-${traceId}-${parentId}-ff`, true],
    // Later versions may say more, after a dash.
    [`01-${traceId}-${parentId}-01`, true],
    [`cc-${traceId}-${parentId}-00-what-the-future-will-be-like`, false],
    [`cc-${traceId}-${parentId}-01-`, true],
  ];
  for (const [header, isSampled] of valid) {
    await t.step(header, () => assertEquals(readTraceContext(header), { traceId, parentId, isSampled }));
  }
});

Deno.test("any other one is ignored, and a new trace begins", async (t) => {
  const malformed: Record<string, string | undefined> = {
    "none": undefined,
    "empty": "",
    "the forbidden version": `ff-${traceId}-${parentId}-01`,
    "more than version 00 has": `00-${traceId}-${parentId}-01-more`,
    "a dash at the end": `00-${traceId}-${parentId}-01-`,
    "more without a dash": `cc-${traceId}-${parentId}-01.more`,
    "a trace of zeros": `00-${"0".repeat(32)}-${parentId}-01`,
    "a parent of zeros": `00-${traceId}-${"0".repeat(16)}-01`,
    "capitals": `00-${traceId.toUpperCase()}-${parentId}-01`,
    "a short trace": `00-${traceId.slice(1)}-${parentId}-01`,
    "a long parent": `00-${traceId}-${parentId}0-01`,
    "flags of one digit": `00-${traceId}-${parentId}-1`,
    "other letters": `00-${traceId.replace("f", "g")}-${parentId}-01`,
    "two headers": `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    "spaces": ` 00-${traceId}-${parentId}-01`,
    "lines": `00-${traceId}-${parentId}-01\nx`,
  };
  for (const [name, header] of Object.entries(malformed)) {
    await t.step(name, () => {
      const context = readTraceContext(header);
      assertMatch(context.traceId, /^[0-9a-f]{32}$/);
      assertNotEquals(context.traceId, traceId);
      assertEquals([context.parentId, context.isSampled], [null, true]);
      assertNotEquals(readTraceContext(header).traceId, context.traceId);
    });
  }
});

Deno.test("what is written can be read", () => {
  for (const isSampled of [true, false]) {
    const header = writeTraceparent({ traceId, parentId: null, isSampled }, parentId);
    assertEquals(readTraceContext(header), { traceId, parentId, isSampled });
  }
});
