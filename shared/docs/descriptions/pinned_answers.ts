import type { Descriptions } from "../description.ts";

export const pinnedAnswersDescriptions: Descriptions = {};
