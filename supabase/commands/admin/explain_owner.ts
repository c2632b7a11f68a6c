import { PostgrestError } from "@supabase/supabase-js";
import { CommandError } from "../command_error.ts";

const foreignKeyViolation = "23503";

/** Explains the error of storing a coach whose owner is not a user of the project. */
export function explainOwner(error: unknown): unknown {
  const isOfOwner = error instanceof PostgrestError && error.code === foreignKeyViolation &&
    error.message.includes("owner");
  return isOfOwner ? new CommandError("This project has no user with the ID given as --owner.") : error;
}
