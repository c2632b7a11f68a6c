/** The expert's progress with a question. */
export const questionStatuses = ["open", "answered", "dismissed"] as const;

/** The reason why a question waits for the expert. */
export const questionReasons = ["unknown", "feedback", "human"] as const;
