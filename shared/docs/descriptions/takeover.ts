import type { Descriptions } from "../description.ts";
import { exampleExpertMessage, exampleThreadWithState } from "../examples.ts";

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
    reply: { description: "The thread as it is now", example: { ...exampleThreadWithState, handled_by: "expert" } },
  },
  releaseThread: {
    summary: "Let the model answer again",
    description:
      "Ends a takeover. Questions that still wait are answered by the model in the background: their answers appear " +
      "in the list of messages. A thread that nobody has taken over stays as it is.",
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
};
