import * as english from "./en.ts";
import type { Wording } from "./wording.ts";

/** The texts of both pages. */
export const shared: Wording<typeof english.shared> = english.shared;

/** The texts of the chat. */
export const chat: Wording<typeof english.chat> = english.chat;

/** The texts of the desk, by panel. */
export const desk: Wording<typeof english.desk> = {
  answers: english.desk.answers,

  conversations: english.desk.conversations,

  errors: english.desk.errors,

  files: english.desk.files,

  format: english.desk.format,

  frame: english.desk.frame,

  invitation: {},

  overview: {},

  parts: english.desk.parts,

  persona: {},

  questions: english.desk.questions,

  team: {},

  tests: english.desk.tests,

  try: english.desk.try,

  usage: english.desk.usage,
};
