/** How far the expert is with a question. */
export const questionStatuses = ["open", "answered", "dismissed"] as const;

/** Why a question waits for the expert. */
export const questionReasons = ["unknown", "feedback", "human"] as const;
