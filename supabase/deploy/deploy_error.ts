/** Why a deployment ended early: a sentence for whoever runs it, and the exit code. */
export class DeployError extends Error {
  override name = "DeployError";
  readonly exitCode: number;

  constructor(message: string, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** How the command ends. Who declines gets the code of Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, usage: 2, declined: 130 };
