import type { Descriptions } from "../description.ts";

export const eventsDescriptions: Descriptions = {};
