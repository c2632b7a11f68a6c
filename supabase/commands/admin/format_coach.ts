import { z } from "zod";
import type { CoachField } from "../../../shared/features/coaches/coach_fields.ts";
import { countCharacters } from "../../../shared/libs/base/text.ts";
import { frontMatterFields } from "./read_coach_file.ts";
import { type Cell, formatFields } from "./terminal_text.ts";

const rowOfCoach = z.looseObject({ instructions: z.string() });

/** A coach with all of its settings, but only the length of its instructions. */
export function formatCoach(row: unknown): string {
  const coach = rowOfCoach.parse(row) as Record<string, Cell> & { instructions: string };
  return formatFields({
    id: coach.id,
    ...Object.fromEntries(
      frontMatterFields.map(([name, field]) => [name.replaceAll("_", " "), show(coach[name], field)]),
    ),
    picture: coach.picture,
    version: coach.version,
    active: coach.is_active,
    account: coach.account_id,
    owner: coach.owner_id,
    instructions: `${countCharacters(coach.instructions)} characters`,
  });
}

/** A value; for one that defaults to the deployment's, its variable. Only the functions know the deployment's. */
function show(value: unknown, { variable }: CoachField): Cell {
  if (Array.isArray(value)) return value.join(" | ") || null;
  return value === null && variable !== undefined ? `default of the deployment (${variable})` : value as Cell;
}
