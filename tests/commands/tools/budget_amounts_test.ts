import { readCommand } from "../../../supabase/commands/admin/read_command.ts";
import { assert, assertEquals } from "../../support/assert.ts";

Deno.test("dollars become millionths exactly, also those that binary fractions only come near", () => {
  for (
    const [usd, amount] of [
      ["8.2", 8_200_000],
      ["0.29", 290_000],
      ["1.1", 1_100_000],
      ["1.005001", 1_005_001],
      ["0.000001", 1],
      ["50", 50_000_000],
      ["999999999.999999", 999_999_999_999_999],
    ] as const
  ) {
    const given = ["--account", crypto.randomUUID(), "--period", "month", "--usd", usd, "--anonymous-usd", usd];
    const call = readCommand(["budget", "set", ...given]);
    assert("input" in call);
    assertEquals([call.input.usd, call.input["anonymous-usd"]], [amount, amount], usd);
  }
});
