import * as english from "./en.ts";
import type { Wording } from "./wording.ts";

/** The texts of both pages. */
export const shared: Wording<typeof english.shared> = english.shared;

/** The texts of the chat. */
export const chat: Wording<typeof english.chat> = english.chat;

/** The texts of the desk, by panel. */
export const desk: Wording<typeof english.desk> = {
  answers: {},

  conversations: {},

  errors: {},

  files: {},

  format: {},

  frame: {
    title: "A mesa do especialista",
    toChat: "O chat",
  },

  invitation: {},

  overview: {},

  persona: {},

  questions: {},

  team: {},

  tests: {},

  try: {},

  usage: {},
};
