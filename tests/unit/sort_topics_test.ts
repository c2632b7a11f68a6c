import type * as z from "zod/mini";
import type { SortingServices } from "../../shared/features/questions/sort_questions.ts";
import { sortTopics } from "../../shared/features/topics/sort_topics.ts";
import { timeouts } from "../../shared/infra/timeouts.ts";
import { assertEquals } from "../support/assert.ts";

/** The step of a coach with two topics, each of three people. Its model has the name of the coach. */
function namingOf(coach: string) {
  const conversations = ["ann", "ben", "cat"].map((person) => ({ id: person, person, words: [], questions: ["Why?"] }));
  const topics = ["one", "two"].map((id) => ({ id: `${coach} ${id}`, name: null, is_by_model: false, conversations }));
  return { kind: "name", coach_id: coach, claim: "c", model: coach, known: [], topics };
}

Deno.test("a model that fails is not asked for further topics of its coach; those of others are", async () => {
  const steps = ["broken", "sound"].map(namingOf);
  const asked: string[] = [];
  const named: [id: string, name: string | null][] = [];
  const services = {
    database: {
      call(name: string, args: { result?: { names: { id: string; name: string | null }[] } }, schema: z.ZodMiniType) {
        for (const topic of args.result?.names ?? []) named.push([topic.id, topic.name]);
        const replies: Record<string, () => unknown> = {
          take_topics: () => steps.shift() ?? null,
          find_lexemes: () => ({}),
          save_topics: () => true,
        };
        return Promise.resolve(schema.parse(replies[name]!()));
      },
    },
    model: {
      async *stream({ model }: { model: string }) {
        asked.push(model);
        if (model === "broken") throw new TypeError("There is no such model");
        yield await Promise.resolve([{ type: "text", text: "Reasons" }]);
      },
    },
    embedder: null,
    isBudgeted: false,
    timeouts,
  } as unknown as SortingServices;
  const options = { mayGoOn: () => true, signal: new AbortController().signal, log: () => {} };
  assertEquals(await sortTopics(services, options), false);
  assertEquals(asked, ["broken", "sound", "sound"]);
  assertEquals(named, [
    ["broken one", null],
    ["broken two", null],
    ["sound one", "Reasons"],
    ["sound two", "Reasons"],
  ]);
});
