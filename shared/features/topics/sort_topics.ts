import * as z from "zod/mini";
import { openWorkModels } from "../../core/budgets/work_models.ts";
import { repeat } from "../../core/sweeps.ts";
import { replyObject } from "../../infra/db/reply_object.ts";
import { describeError } from "../../libs/base/log.ts";
import { askModel } from "../questions/ask_model.ts";
import type { SortingOptions, SortingServices } from "../questions/sort_questions.ts";
import {
  averagePlaces,
  compare,
  groupConversations,
  leastLikeness,
  measureRarity,
  type Place,
  placeConversations,
  shortenEmbedding,
} from "./compare_conversations.ts";
import { findSharedWords, leastPeople, nameByWords, type TopicName } from "./name_topic.ts";
import { buildNamingPrompt, pickConversations, readNaming } from "./prompts.ts";

const words = z.array(z.string());
const meaning = z.nullable(z.string());
const claimed = { coach_id: z.string(), claim: z.string(), model: z.nullable(z.string()) };
const known = z.array(replyObject({ topic_id: z.string(), words, meaning }));

/** A step of making the topics of a coach. `known`: some conversations of each topic that there is. */
const Step = z.discriminatedUnion("kind", [
  replyObject({
    kind: z.literal("read"),
    ...claimed,
    known,
    conversations: z.array(replyObject({
      id: z.string(),
      updated_at: z.string(),
      topic_id: z.nullable(z.string()),
      questions: z.array(z.string()),
      words,
    })),
  }),
  replyObject({
    kind: z.literal("group"),
    ...claimed,
    known,
    conversations: z.array(replyObject({ id: z.string(), person: z.string(), words, meaning })),
  }),
  replyObject({
    kind: z.literal("name"),
    ...claimed,
    known,
    topics: z.array(replyObject({
      id: z.string(),
      name: z.nullable(z.string()),
      is_by_model: z.boolean(),
      conversations: z.nullable(
        z.array(replyObject({ id: z.string(), person: z.string(), words, questions: z.array(z.string()) })),
      ),
    })),
  }),
]);
type Step = z.infer<typeof Step>;
type StepOf<Kind extends Step["kind"]> = Extract<Step, { kind: Kind }>;

const mostTopics = 60;

/**
 * Puts conversations into topics, makes topics of those that fit nowhere, and names topics, step by step. A model that
 * fails holds nothing up: without embeddings, words are compared; without a name of a model, words are the name.
 *
 * @returns whether there may be more
 */
export async function sortTopics(services: SortingServices, options: SortingOptions): Promise<boolean> {
  const { database } = services;
  return await repeat(async () => {
    const step = await database.call("take_topics", {}, z.nullable(Step));
    if (step === null) return false;
    const result = step.kind === "read"
      ? await read(services, step, options)
      : step.kind === "group"
      ? group(step)
      : await name(step);
    await database.call("save_topics", { coach_id: step.coachId, claim: step.claim, result }, z.boolean());
    return true;
  }, options.mayGoOn);

  async function name({ coachId, known, topics, ...step }: StepOf<"name">) {
    const model = openWorkModels(services, coachId);
    const names = [];
    let mayAsk = true;
    for (const topic of topics) {
      const conversations = topic.conversations ?? [];
      const shown = pickConversations(conversations);
      let found: TopicName | undefined;
      if (mayAsk && new Set(shown.map(({ person }) => person)).size >= leastPeople) {
        try {
          const reply = await askModel({ ...services, model }, step.model, buildNamingPrompt(shown), options);
          const naming = readNaming(reply);
          // A name stays: only examples are made again.
          found = naming && {
            ...naming,
            name: topic.isByModel && topic.name !== null ? topic.name : naming.name,
            witnesses: shown.map(({ id }) => id),
          };
        } catch (error) {
          options.log("warn", "topic_not_named", { topic_id: topic.id, reason: describeError(error) });
          // The next one of this coach would fail, too.
          mayAsk = false;
        }
      }
      const isByModel = found !== undefined;
      const name = found ?? await nameByItsWords(coachId, known, topic) ?? { name: null, examples: [], witnesses: [] };
      names.push({ id: topic.id, ...name, is_by_model: isByModel });
    }
    return { names };
  }

  async function nameByItsWords(
    coachId: string,
    known: StepOf<"name">["known"],
    { name, conversations }: StepOf<"name">["topics"][number],
  ) {
    const shared = findSharedWords(conversations ?? []);
    if (shared.size === 0) return null;
    const args = { coach_id: coachId, words: [...shared.keys()] };
    const lexemes = await database.call("find_lexemes", args, z.record(z.string(), words));
    return nameByWords(conversations!, name, { shared, lexemes, rarity: measureRarity(known) });
  }
}

/** Puts conversations that were read into the topics that there are. */
async function read(
  services: SortingServices,
  { coachId, known, conversations }: StepOf<"read">,
  { signal, log }: SortingOptions,
) {
  const said = conversations.map((conversation) => ({ ...conversation, meaning: null as string | null }));
  const { embed } = openWorkModels(services, coachId);
  const asked = said.filter(({ questions }) => questions.length > 0);
  if (embed !== null && asked.length > 0) {
    try {
      const giveUp = AbortSignal.any([signal, AbortSignal.timeout(services.timeouts.embedPassages)]);
      const embeddings = await embed(asked.map(({ questions }) => questions.join("\n")), giveUp);
      embeddings.forEach(({ model, vector }, index) => {
        // Its name ends where the meaning begins.
        asked[index]!.meaning = `${model.replaceAll(" ", "_")} ${shortenEmbedding(JSON.parse(vector))}`;
      });
    } catch (error) {
      log("warn", "conversations_not_embedded", { conversations: said.length, reason: describeError(error) });
    }
  }
  const places = placeConversations([...known, ...said]);
  const find = openTopics(known, places);
  const last = said.at(-1)!;
  return {
    read: { at: last.updatedAt, id: last.id },
    conversations: said.map(({ id, topicId, words, meaning }, index) => ({
      id,
      topic_id: topicId ?? find(places[known.length + index]!),
      words,
      meaning,
    })),
  };
}

/** Makes topics of conversations that fit nowhere. */
function group({ known, conversations }: StepOf<"group">) {
  const places = placeConversations([...known, ...conversations.toReversed()]);
  const find = openTopics(known, places);
  const left = conversations.toReversed().map(({ id, person }, index) => ({
    id,
    person,
    place: places[known.length + index]!,
  }));
  const found = left.map(({ id, place }) => ({ id, topic_id: find(place) }));
  const others = left.filter((_, index) => found[index]!.topic_id === null);
  const room = mostTopics - new Set(known.map(({ topicId }) => topicId)).size;
  const groups = groupConversations(others.map(({ place }) => place))
    .map((members) => members.map((index) => others[index]!))
    .filter((members) => new Set(members.map(({ person }) => person)).size >= leastPeople)
    .sort((one, other) => other.length - one.length)
    .slice(0, Math.max(room, 0))
    .map((members) => ({ id: crypto.randomUUID(), members }));
  return {
    topics: groups.map(({ id }) => id),
    conversations: [
      ...found.filter(({ topic_id }) => topic_id !== null),
      ...groups.flatMap(({ id: topic_id, members }) => members.map(({ id }) => ({ id, topic_id }))),
    ],
  };
}

/** Returns what finds the topic of a conversation: the one whose conversations are most like it; null for none. */
function openTopics(known: { topicId: string }[], places: Place[]): (place: Place) => string | null {
  const members = Map.groupBy(
    known.map(({ topicId }, index) => ({ topicId, place: places[index]! })),
    (one) => one.topicId,
  );
  const topics = [...members].map(([id, each]) => ({ id, mean: averagePlaces(each.map(({ place }) => place)) }));
  return (place) => {
    let best: string | null = null;
    let most = leastLikeness;
    for (const { id, mean } of topics) {
      const likeness = compare(place, mean);
      if (likeness >= most) [best, most] = [id, likeness];
    }
    return best;
  };
}
