import type { Descriptions } from "../description.ts";
import { exampleExpertMessage, exampleSource, exampleThreadWithState } from "../examples.ts";

const tags = ["Expert"];

export const takeoverDescriptions: Descriptions = {
  takeOver: {
    summary: "Answer a thread in person",
    description:
      "From now on the expert behind the coach answers, and the model is silent: `handled_by` is `expert`. An answer " +
      "that is being written ends with the text that it has; without any, its question waits for the expert. Whoever " +
      "asks meanwhile is told so (`takeover_notice` of the coach), and the question waits.\n\n" +
      "It lasts until `releaseThread`, or until the coach's `takeover_minutes` after the last message of the expert. " +
      "Called again, it lasts that long from then on.",
    tags,
    reply: {
      description: "The thread as it is now",
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
      "Ends a takeover. Questions that still wait are answered by the model in the background: their answers appear " +
      "in the list of messages. Whoever has asked for a human waits no longer: the thread leaves the list of those with " +
      "`needs_reply`. That holds for a thread that nobody has taken over, too; otherwise it stays as it is.",
    tags,
    reply: { description: "The thread as it is now", example: exampleThreadWithState },
  },
  sayAsExpert: {
    summary: "Say something as the expert",
    description:
      "Stores a message of the expert. It becomes the answer to the oldest question that waits; where none does, it " +
      "stands alone at the end of the thread. It takes the thread over, as `takeOver` does.",
    tags,
    bodyExamples: { message: { value: { content: exampleExpertMessage.content } } },
    reply: {
      description: "The message as lists show it with `include=status,author`",
      example: exampleExpertMessage,
    },
  },
  reviseAnswer: {
    summary: "Correct an answer",
    description:
      "Makes a pinned answer of the expert's correction, so that the same question gets it word for word from now on; " +
      "where the question is pinned already, that answer gets a new version. The answer is marked as revised, and open " +
      "questions that it has led to are answered. `bar_passages` keeps what misled from all further answers, and " +
      "`notify` tells the person in their thread. All of it is done, or nothing.\n\n" +
      "`question` is required unless the answer has led to an open question with a sentence.",
    tags,
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
};
