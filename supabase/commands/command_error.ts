/** Ends a command early: with a sentence for the user, and the exit code. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends a command that was called wrongly. */
export function refuse(sentence: string): never {
  throw new CommandError(sentence, exitCodes.calledWrongly);
}

/** Exit codes. Saying no to the question of a command has the code of Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, calledWrongly: 2, declined: 130, interrupted: 130 };
