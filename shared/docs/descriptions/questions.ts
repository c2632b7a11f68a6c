import type { Descriptions } from "../description.ts";

export const questionsDescriptions: Descriptions = {};
