import type { Descriptions } from "../description.ts";
import { exampleRequest } from "../examples.ts";

export const requestsDescriptions: Descriptions = {
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
