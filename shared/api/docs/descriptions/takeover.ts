import type { Descriptions } from "../description.ts";
import {
  exampleExpertMessage,
  examplePassage,
  exampleRequest,
  exampleSource,
  exampleThreadWithState,
} from "../examples.ts";

export const takeoverDescriptions: Descriptions = {
  takeOver: {
    summary: "Answer a thread in person",
    description:
      "From now on the expert behind the coach answers, and the model is silent: `handled_by` is `expert`. If an " +
      "answer is being written, it ends with the text so far; if it has no text yet, its question waits for the " +
      "expert. Anyone who asks during the takeover gets a notice (the coach's `takeover_notice`), and the " +
      "question waits.\n\nThe takeover lasts until `releaseThread`, or until `takeover_minutes` (a setting of " +
      "the coach) after the expert's last message. Calling this again extends it.",
    reply: {
      description: "The changed thread",
      example: {
        ...exampleThreadWithState,
        handled_by: "expert",
        taken_over_until: "2026-11-20T17:03:33.140Z",
      },
    },
  },
  releaseThread: {
    summary: "Let the model answer again",
    description:
      "Ends a takeover. The model answers the waiting questions in the background; their answers appear in the " +
      "list of messages. A request for a human is closed: the thread leaves the list of those with " +
      "`needs_reply`. If nobody has taken the thread over, only the request for a human is closed.",
    reply: { description: "The changed thread", example: exampleThreadWithState },
  },
  sayAsExpert: {
    summary: "Say something as the expert",
    description:
      "Stores a message of the expert. It becomes the answer to the oldest waiting question. If no question " +
      "waits, it is added at the end of the thread on its own. The thread is taken over, as by `takeOver`.",
    bodyExamples: { message: { value: { content: exampleExpertMessage.content } } },
    reply: {
      description: "The message as lists show it with `include=status,author`",
      example: exampleExpertMessage,
    },
  },
  draftReply: {
    summary: "Draft a reply for the expert",
    description:
      "Drafts what the expert might reply to the person's newest message, or to the one in `in_reply_to`, for the expert " +
      "to edit. It is made of the thread, pinned answers and passages of files alone. Where these do not say what is " +
      "asked, the draft has a gap in square brackets. If the very question is pinned, the draft is the pinned answer, " +
      "and the model is not asked.\n\nNothing is stored or sent: what the expert then sends with `sayAsExpert` counts " +
      "as their own words. A draft counts on budgets, and fails as an answer does.",
    reply: {
      description: "The draft and its sources",
      example: { content: exampleExpertMessage.content, sources: [examplePassage] },
    },
  },
  reviseAnswer: {
    summary: "Correct an answer",
    description:
      "Turns the expert's correction into a pinned answer: from now on, the same question gets it word for word. " +
      "If the question is already pinned, that pinned answer gets a new version. The answer is marked as " +
      "revised, and the open questions it led to are answered. `bar_passages` excludes misleading passages from " +
      "all further answers, and `notify` informs the person in their thread. Either everything is done, or " +
      "nothing.\n\n`question` is required unless the answer led to an open question with a sentence.",
    bodyExamples: {
      correction: {
        value: {
          question: "How do I start with a new team?",
          answer: exampleExpertMessage.content,
          notify: true,
          bar_passages: [exampleSource.passageId],
        },
      },
    },
    reply: {
      description: "The pinned answer, and the message to the person",
      example: {
        pinnedAnswerId: "3d0f6c51-9a7e-4b55-8a44-1f6f0c0f7e21",
        version: 1,
        messageId: exampleExpertMessage.id,
      },
    },
  },
  askExpert: {
    summary: "Ask the expert in person",
    description:
      "Asks the person behind the coach: about a question of the thread, by default the last one, or with a new " +
      "`question`, whose answer then waits for the expert. No model is called, so this also works when budgets are used " +
      "up, and the model goes on answering other messages. An answer that waits for the expert is never given by the " +
      "model.\n\nThe reply is 201 for a new request. Asking again about the same question returns the same entry; one that " +
      "was withdrawn waits again. With an `email`, a mail asks to confirm the address, and another one has a link to the " +
      "answer, which works without an account. No other mails are sent there.",
    bodyExamples: {
      last: { summary: "About the last question of the thread", value: {} },
      withEmail: { value: { message_id: exampleRequest.message_id, email: "grace@example.com" } },
      alone: { summary: "A question for the expert alone", value: { question: exampleRequest.question } },
    },
    reply: { description: "The request", example: exampleRequest },
    created: true,
  },
  listRequests: {
    summary: "List the requests of a thread",
    description:
      "What the user of the thread has asked the expert in person, and what has become of it. If an expert of the coach " +
      "lists them, those that wait are `seen` from then on.",
    reply: { description: "The requests; the list may be empty", example: { data: [exampleRequest], count: 1 } },
  },
  withdrawRequest: {
    summary: "Take a request back",
    description:
      "The expert is no longer asked. An answer that waits for the expert ends as `stopped`. A link to the answer that was " +
      "sent by mail does not work any more. The request may be repeated.",
    reply: {
      description: "The request",
      example: { ...exampleRequest, status: "withdrawn", email: null },
    },
  },
};
