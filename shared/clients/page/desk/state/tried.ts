import { keep } from "../../connection.ts";

/** Keeps whether a question was tried in this browser: one of the first steps, which leaves no trace in the service. */
export function triedQuestion(coachId: string) {
  return keep<true>(`human-desk tried ${coachId}`, "browser");
}
