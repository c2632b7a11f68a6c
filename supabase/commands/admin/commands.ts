import type { Command } from "./command.ts";
import { accountCommands } from "./accounts.ts";
import { answerCommands } from "./answers.ts";
import { budgetCommands } from "./budgets.ts";
import { coachCommands } from "./coaches.ts";
import { expertCommands } from "./experts.ts";
import { issuerCommands } from "./issuers.ts";
import { keyCommands } from "./keys.ts";
import { priceCommands } from "./prices.ts";
import { questionCommands } from "./questions.ts";
import { reindexCommands } from "./reindex.ts";
import { sourceCommands } from "./sources.ts";
import { testCommands } from "./tests.ts";
import { threadCommands } from "./threads.ts";
import { showUsage } from "./usage.ts";
import { userCommands } from "./users.ts";
import { webhookCommands } from "./webhooks.ts";

/** The commands by their words, in the order of the help. One without a second word has an empty one. */
const byNoun: Record<string, Record<string, Command>> = {
  account: accountCommands,
  coach: coachCommands,
  expert: expertCommands,
  question: questionCommands,
  answer: answerCommands,
  source: sourceCommands,
  test: testCommands,
  thread: threadCommands,
  key: keyCommands,
  budget: budgetCommands,
  issuer: issuerCommands,
  webhook: webhookCommands,
  price: priceCommands,
  usage: { "": showUsage },
  reindex: reindexCommands,
  user: userCommands,
};

/** All commands, by the words that they begin with. */
export const commands: Record<string, Command> = Object.fromEntries(
  Object.entries(byNoun).flatMap(([noun, verbs]) =>
    Object.entries(verbs).map(([verb, command]) => [`${noun} ${verb}`.trim(), command])
  ),
);

/** The commands of a noun that has several. */
export const commandsOf = (noun: string): [words: string, Command][] =>
  Object.entries(commands).filter(([words]) => words.startsWith(`${noun} `));
