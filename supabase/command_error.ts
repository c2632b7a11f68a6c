/** Why a command ended early: a sentence for whoever runs it, and the exit code. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How a command ends. Who declines gets the code of Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, calledWrongly: 2, declined: 130, interrupted: 130 };
