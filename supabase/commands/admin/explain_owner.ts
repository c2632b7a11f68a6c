import { PostgrestError } from "@supabase/supabase-js";
import { CommandError } from "../command_error.ts";

const foreignKeyViolation = "23503";

/** Explains the error of storing a coach whose owner is not a user of the project. */
export function explainOwner(error: unknown): unknown {
  return isMissing(error, "owner") ? new CommandError("This project has no user with the ID given as --owner.") : error;
}

/** Explains the error of storing an expert who is not a user of the project. */
export function explainUser(error: unknown): unknown {
  return isMissing(error, "user_id") ? new CommandError("This project has no user with this ID.") : error;
}

function isMissing(error: unknown, column: string): boolean {
  return error instanceof PostgrestError && error.code === foreignKeyViolation && error.message.includes(column);
}
