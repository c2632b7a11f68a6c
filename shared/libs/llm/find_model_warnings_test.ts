import { findModelWarnings } from "./find_model_warnings.ts";
import type { ListedModel } from "./model_catalogue.ts";
import { assertEquals } from "../../../tests/support/assert.ts";

const today = "2026-11-22";

/** Models as `id` or `id ends date`. */
function listOf(...models: string[]): ListedModel[] {
  return models.map((model) => {
    const [id = "", shutdownDate = null] = model.split(" ends ");
    return { id, shutdownDate, contextTokens: null };
  });
}

function warningOf(model: string, list: ListedModel[], setting = "OPENAI_MODEL"): string | null {
  const [warning] = findModelWarnings([{ setting, model }], list, today);
  return warning === undefined ? null : warning.date ?? warning.kind;
}

Deno.test("findModelWarnings: when a model ends", async (t) => {
  const rows: [name: string, list: string[], warning: string | null][] = [
    ["never", ["chat"], null],
    ["in 91 days", ["chat ends 2027-02-21"], null],
    ["in 90 days", ["chat ends 2027-02-20"], "2027-02-20"],
    ["today", ["chat ends 2026-11-22"], "2026-11-22"],
    ["long ago", ["chat ends 2020-01-01"], "2020-01-01"],
    ["another model ends", ["chat", "chat-mini ends 2026-12-11"], null],
    ["its dated twin ends", ["chat", "chat-2025-08-07 ends 2026-12-11"], null],
    ["it ends, its dated twin does not", ["chat ends 2026-12-11", "chat-2025-08-07"], "2026-12-11"],
    ["of its dated models the last one stays", ["chat-20250101 ends 2026-12-01", "chat-20260101"], null],
    [
      "of its dated models the last one ends",
      ["chat-20250101 ends 2026-12-01", "chat-20260101 ends 2027-01-01"],
      "2027-01-01",
    ],
    ["listed with its owner", ["owner/chat ends 2026-12-11"], "2026-12-11"],
  ];
  for (const [name, list, warning] of rows) {
    await t.step(`${name} → ${warning ?? "no warning"}`, () => {
      assertEquals(warningOf("chat", listOf(...list)), warning);
    });
  }
});

Deno.test("findModelWarnings: which models are missing", async (t) => {
  const rows: [model: string, list: string[], isMissing: boolean][] = [
    ["chat", ["chat"], false],
    ["Chat", ["chat"], false],
    ["chat", ["other"], true],
    ["chat", ["chat-mini", "chatter"], true],
    ["chat-mini", ["chat"], true],
    ["chat", [], false],
    // Ollama
    ["llama3.2", ["llama3.2:latest"], false],
    ["llama3.2:latest", ["llama3.2"], false],
    ["llama3.2:70b", ["llama3.2:latest", "llama3.2:8b"], true],
    ["llama3.2", ["llama3.2:8b"], true],
    // Owners
    ["gemini-flash", ["models/gemini-flash"], false],
    ["models/gemini-flash", ["gemini-flash"], false],
    ["chat", ["owner/chat"], false],
    ["owner/chat", ["other/chat"], true],
    ["chat", ["owner/big-chat"], true],
    // Dates
    ["sonnet-5", ["sonnet-5-20260102"], false],
    ["sonnet-5", ["sonnet-5@20260102"], false],
    ["large-latest", ["large-2512"], false],
    ["chat", ["chat-2025-08-07"], false],
    ["chat-2025-08-07", ["chat"], true],
    ["chat-2025-08-07", ["chat-2026-01-01"], true],
    // Variants
    ["owner/chat:nitro", ["owner/chat"], false],
    ["owner/chat:free", ["owner/chat:free"], false],
    // Wildcards
    ["openai/anything", ["openai/*"], false],
    ["anything", ["openai/*"], true],
  ];
  for (const [model, list, isMissing] of rows) {
    await t.step(`${model} on [${list}] → ${isMissing ? "missing" : "there"}`, () => {
      assertEquals(warningOf(model, listOf(...list)), isMissing ? "missing" : null);
    });
  }

  await t.step("a list of models that make text says nothing of those that make vectors or transcripts", () => {
    const list = listOf("owner/chat").map((each) => ({ ...each, outputs: ["text"] }));
    const both = [...list, { ...list[0]!, id: "owner/vectors", outputs: ["embeddings"] }];
    const settings = ["OPENAI_MODEL", "OPENAI_EMBEDDING_MODEL", "OPENAI_TRANSCRIPTION_MODEL", "OPENAI_VISION_MODEL"];
    const warnings = (list: ListedModel[]) => settings.map((setting) => warningOf("x", list, setting));
    assertEquals(warnings(list), ["missing", null, null, "missing"]);
    assertEquals(warnings(both), ["missing", "missing", "missing", "missing"]);
  });
});
