import { z } from "zod";
import { fieldsOf, readJson } from "../../shared/libs/base/fields_of.ts";
import { comparingBeginning } from "../../shared/features/contradictions/prompts.ts";
import { samenessBeginning, wordingBeginning } from "../../shared/features/questions/prompts.ts";
import { namingBeginning } from "../../shared/features/topics/prompts.ts";
import { splitSentences } from "../../shared/libs/base/text.ts";

/** An item of the input: a message, a function call, or the output of a call. */
const inputItem = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  arguments: z.unknown().optional(),
  output: z.unknown().optional(),
});

/** The part of a request to the Responses API that the offline model looks at. */
export const offlineRequest = z.looseObject({
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(inputItem)]).default(""),
  tools: z.array(z.looseObject({ name: z.string().optional() })).nullish(),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().nullish(),
});
export type OfflineRequest = z.output<typeof offlineRequest>;

/** A reply of the offline model: a text, or a function call with arguments as JSON. */
export type OfflineReply = { text: string } | { call: string; arguments: string };

/** The content of an input item if it is a list of parts. */
const contentParts = z.array(z.looseObject({ text: z.string().optional() }));

/** Pinned answers and passages as the prompt quotes them, a JSON object a line. */
const quotedAnswer = z.object({ number: z.number(), question: z.string(), answer: z.string() });
const quotedPassage = z.object({
  number: z.number(),
  source: z.string(),
  heading: z.string().optional(),
  text: z.string(),
});

const remark = "(I am the offline model: I can only quote. The README says how to get real answers.)";

/**
 * Returns the reply of the offline model. It understands nothing: it only compares words. It quotes the expert or the
 * files, by their number, if they share enough words with the question, and otherwise asks the expert, if it may. It never quotes its
 * instructions. Its first answer in a conversation says what it is.
 */
export function answerOffline({ instructions, input, tools, tool_choice }: OfflineRequest): OfflineReply {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const last = items.at(-1);
  const hasSaidWhatItIs = items.some(({ role, content }) => role === "assistant" && readText(content).includes(remark));
  const say = (text: string) => ({ text: hasSaidWhatItIs ? text : `${text}\n\n${remark}` });
  if (last?.type === "function_call_output") {
    const { for_human } = readObject(String(items.at(-2)?.arguments));
    return say(readNoAnswer(last.output, for_human === true));
  }

  if (instructions?.startsWith(samenessBeginning)) return { text: "no" };
  if (instructions?.startsWith(comparingBeginning)) return { text: "UNSURE" };
  if (instructions?.startsWith(wordingBeginning)) return { text: findQuestion(last) };
  // Topics are then named by their words.
  if (instructions?.startsWith(namingBeginning)) return { text: "" };

  const [, name = "your coach"] = /^You are ([^,\n]+),/.exec(instructions ?? "") ?? [];
  const question = readText(last?.content).trim();
  const greeting = findGreeting(question, name);
  if (greeting !== undefined) return say(`${greeting} This is ${name}.`);

  const lines = readQuotedLines(items);
  const pinned = lines.map((line) => quotedAnswer.safeParse(line).data).find((pinned) =>
    pinned !== undefined && isSameMatter(question, pinned.question)
  );
  if (pinned) {
    return say(
      `This is ${name}, with an answer written for exactly this question: ${pinned.answer} [${pinned.number}]`,
    );
  }
  const isForHuman = humanPattern.test(question);
  const passages = lines.flatMap((line) => quotedPassage.safeParse(line).data ?? []);
  const excerpts = isForHuman ? null : composeExcerpts(question, passages);
  if (excerpts !== null) return say(excerpts);
  const hasHistory = items.some(({ role }) => role === "assistant");
  if (!isForHuman && (wordsOf(question).size === 0 || hasHistory && pointsBack(question))) {
    return say(`This is ${name}. Please ask that in one full sentence: I can only compare words.`);
  }
  const mayAsk = tool_choice !== "none" && tools?.some(({ name }) => name === "ask_expert");
  if (!mayAsk) return say("I do not know that: nothing in my files answers it.");
  return { call: "ask_expert", arguments: JSON.stringify({ question: shorten(question), for_human: isForHuman }) };
}

/** The person's last question in a conversation with one message per line; `NONE` if there is none. */
function findQuestion(last: { content?: unknown } | undefined): string {
  const said = readLines(readText(last?.content)).findLast(({ from }) => from === "person");
  return shorten(String(said?.text ?? "")) || "NONE";
}

/** A text on one line, as long as a question may be. */
function shorten(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 300).toWellFormed();
}

/** Returns the sentence for a question that was passed on, using the output of the call. */
function readNoAnswer(output: unknown, isForHuman: boolean): string {
  const { as_you_put_it, passed_on } = readObject(String(output));
  if (typeof as_you_put_it === "string") return as_you_put_it;
  const honest = isForHuman ? "You are talking to an AI." : "I do not know that, and I would rather not guess.";
  return `${honest}${passed_on ? " I have passed your question on." : ""}`;
}

/** The text of an item's content, which is a string or a list of parts. */
function readText(content: unknown): string {
  const { data: parts } = contentParts.safeParse(content);
  return parts === undefined ? String(content ?? "") : parts.map(({ text }) => text ?? "").join("");
}

/** The lines of JSON in the messages of the user right before the question. */
function readQuotedLines(items: { role?: string; content?: unknown }[]): Record<string, unknown>[] {
  const before = items.slice(0, -1);
  const from = before.findLastIndex(({ role }) => role !== "user") + 1;
  return before.slice(from).flatMap(({ content }) => readLines(readText(content)));
}

/** The lines of a text that are JSON objects. */
function readLines(text: string): Record<string, unknown>[] {
  return text.split("\n").filter((line) => line.startsWith("{")).map(readObject);
}

function readObject(text: string): Record<string, unknown> {
  return fieldsOf(readJson(text));
}

const greetings: [pattern: RegExp, greeting: string][] = [
  [/^(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b/i, "Hello!"],
  [/^(?:hallo|guten (?:morgen|tag|abend)|grüß (?:gott|dich)|moin|servus)(?!\p{L})/iu, "Guten Tag!"],
  [/^(?:bonjour|bonsoir|salut)\b/i, "Bonjour !"],
  [/^(?:hola|buen[oa]s (?:días|tardes|noches))(?!\p{L})/iu, "¡Hola!"],
  [/^(?:ciao|buon ?giorno|buona ?sera)\b/i, "Buongiorno!"],
  [/^(?:olá|oi|bom dia|boa (?:tarde|noite))(?!\p{L})/iu, "Olá!"],
  [/^(?:hoi|goede(?:n|morgen|middag|navond)|goeden? (?:morgen|middag|avond|dag))\b/i, "Goedendag!"],
  [/^(?:thanks|thank you|thx|great|perfect|ok(?:ay)?|bye|goodbye)\b/i, "You are welcome."],
  [/^(?:danke|vielen dank|tschüss|alles klar)(?!\p{L})/iu, "Gern geschehen."],
  [/^(?:merci|au revoir)\b/i, "Je vous en prie."],
  [/^(?:gracias|muchas gracias|adiós)(?!\p{L})/iu, "De nada."],
  [/^(?:grazie|arrivederci)\b/i, "Prego."],
  [/^(?:obrigad[oa]|tchau)\b/i, "De nada."],
  [/^(?:dank (?:je|u)|bedankt|tot ziens)\b/i, "Graag gedaan."],
];

/** Returns the reply to a greeting or to thanks; undefined for any other message. */
function findGreeting(message: string, name: string): string | undefined {
  const words = message.replace(/^[^\p{L}]+/u, "");
  const [pattern, greeting] = greetings.find(([pattern]) => pattern.test(words)) ?? [];
  if (pattern === undefined) return;
  return wordsOf(words.replace(pattern, "")).isSubsetOf(wordsOf(name)) ? greeting : undefined;
}

/** Matches messages of a person who wants to talk to a human. */
const humanPattern = /\b(?:real person|human(?: being)?|mensch(?:en)?|humain|être humain|humano|umano)\b/i;

/** Words that refer to an earlier message. */
const backPattern =
  /\b(?:it|its|that|this|they|them|those|these|he|him|she|her|again|shorter|simpler|more|why|es|das|davon|dazu|ça|cela|eso|esto)\b/i;

/** Returns true if a message refers to earlier ones. */
function pointsBack(message: string): boolean {
  return backPattern.test(message) || wordsOf(message).size < 2;
}

/** Returns true if two questions share most of their words, and both or neither have a negation. */
function isSameMatter(question: string, other: string): boolean {
  const [asked, known] = [wordsOf(question), wordsOf(other)];
  const isShared = asked.size > 0 && 3 * asked.intersection(known).size >= asked.size + known.size;
  return isShared && isNegated(question) === isNegated(other);
}

function isNegated(question: string): boolean {
  return /\b(?:not|no|never|without|nicht|kein\w*|nie|ohne|pas|jamais|sans|nunca|sin|non|mai|senza|não|sem|niet|geen|nooit)\b|n['’]t\b/i
    .test(question);
}

/** A passage as the prompt quotes it. */
type QuotedPassage = { number: number; source: string; heading?: string; text: string };

/** The approximate number of words in each part of an answer with one, two or three parts. */
const lengths = [[130], [80, 50], [70, 40, 30]];
/** The minimum by which a sentence must match better than an earlier one. */
const leastGain = 0.25;
/** Matches the beginning of a list item. */
const listItem = /^(?:[-–*]|\d+\.)\s/;
/** A sentence that can hardly be understood without the one before it. */
const needsSentenceBefore =
  /^(?:it|that|this|then|they|them|those|these|he|she|and|but|or|so|det|den|de|då|sedan|och|men)\b/i;

/**
 * Composes an answer from sentences of the passages that are about a question, best first, each part with the number of
 * its passage; null if there are none. Parts after the first must match the question more closely.
 */
function composeExcerpts(question: string, passages: QuotedPassage[]): string | null {
  const asked = wordsOf(question);
  const isMost = (words: Set<string>) => 2 * asked.intersection(words).size >= asked.size;
  // The search has ranked the passages: if several contain as much of the question, its first one comes first.
  const [best, ...others] = passages
    .filter(({ source, heading = "", text }) => isAbout(question, `${source} ${heading} ${text}`))
    .map((passage) => ({ passage, ...findBest(question, passage) }))
    .toSorted((one, other) => other.score - one.score);
  if (best === undefined) return null;
  const also = others.filter(({ passage, sentence }) =>
    isMost(wordsOf(sentence)) &&
    (passage.source === best.passage.source || isMost(wordsOf(`${passage.source} ${passage.heading}`)))
  );
  const parts = [best, ...also].slice(0, lengths.length);
  return parts.map(({ passage, sentences, index }, part) =>
    `${cutExcerpt(sentences, index, lengths[parts.length - 1]![part]!)} [${passage.number}]`
  ).join("\n\n");
}

/** The first sentence of a passage that shares most with a question, together with its heading. */
function findBest(question: string, { heading = "", text }: QuotedPassage) {
  const sentences = text.split(/(?<=\n\n)|\n(?=[-–*] |\d+\. )/).flatMap((block) =>
    listItem.test(block) ? [block] : splitSentences(block)
  );
  const title = heading.split(" > ").at(-1)!;
  let best = { index: 0, sentence: "", score: 0 };
  for (const [index, sentence] of sentences.entries()) {
    const score = countShared(question, `${title} ${sentence}`);
    if (index === 0 || score > best.score + leastGain) best = { index, sentence, score };
  }
  return { sentences, ...best };
}

/** Whole sentences from a given one on, with about the wanted number of words. Lists are not cut early. */
function cutExcerpt(sentences: string[], from: number, wanted: number): string {
  while (from > 0 && needsSentenceBefore.test(sentences[from]!)) from--;
  let text = "";
  let count = 0;
  for (const sentence of sentences.slice(from)) {
    const isOfList = listItem.test(sentence);
    if (!isOfList && isHeading(sentence)) {
      if (count > 0.8 * wanted) break;
      continue;
    }
    count += sentence.split(/\s+/).length;
    if (text !== "" && count > (isOfList ? 2 * wanted : wanted)) break;
    if (isOfList && text !== "" && !text.endsWith("\n")) text = `${text.trimEnd()}\n`;
    // Line breaks in a file depend on its author's editor.
    const line = sentence.trim().replace(/\s+/g, " ").replace(/^– /, "- ");
    text += `${line}${/\n\n\s*$/.test(sentence) ? "\n\n" : " "}`;
  }
  return text.trim();
}

/** Returns true if a sentence is the heading of a short section within a passage. */
function isHeading(sentence: string): boolean {
  return /[^.!?:…"”)]\n\n\s*$/.test(sentence) || /^[^.!?:…]*[^.!?:…"”)\s]$/.test(sentence);
}

/** Common words, which do not tell what a question is about. */
const commonWords = new Set(
  `a about across actually after again all also am an and another any anybody anyone anything are as ask at back be because
  been before begin being best better but by can come could day did do does doing don done down each else ever every feel
  find first for from get give go going good had has have having he help her here him his how i if in into is it its itself
  just keep kind know let like ll long look lot made make many may maybe me mean might mine more most much must my need
  never new no not nothing now of off often on once one only or other others our out over own part people person please
  put question re really right said same saw say see seem she should since so some somebody someone something start
  still such take talk tell than that the their them then there these they thing think this those though thought
  through time to too two under until up us use used ve very want was way we well were what when where whether which
  while who whom whose why will with without word words work would year yes yet you your yours`.split(/\s+/).map(
    cutEnding,
  ),
);

/** Delegate, delegates and delegation are the same; works and workshop are not. */
function cutEnding(word: string): string {
  return word.replace(/(?<=\p{L}{3})(?:ions?|ings?|ers?|ed|ly|es|e|s)$/u, "");
}

/** All words of a text without endings; single characters in scripts without spaces. A hyphenated word is one word. */
function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\u2E80-\uD7FF]|[^\P{L}\u2E80-\uD7FF]+(?:-\p{L}+)*|\p{N}+/gu) ?? [];
  return new Set(words.map(cutEnding));
}

/** The words of a text that carry its meaning, without endings. */
function wordsOf(text: string): Set<string> {
  return stemsOf(text).difference(commonWords);
}

/** Returns true if a text contains more than half of the words of a question. */
function isAbout(question: string, text: string): boolean {
  const asked = wordsOf(question);
  return 2 * asked.intersection(wordsOf(text)).size > asked.size;
}

/** Scores how many words of a question a text contains: one point each, and less for common words. */
function countShared(question: string, text: string): number {
  const shared = stemsOf(question).intersection(stemsOf(text));
  return shared.size - 0.9 * shared.intersection(commonWords).size;
}
