import { maskJson } from '@palimpsest/core/authoring';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { redactText } from '../inputs/redact-input.ts';

/** Formats an evaluation as JSON, with secrets masked: names of what was lost come from transcripts. */
export const evaluationJson = (evaluation: Evaluation): string =>
  `${JSON.stringify(maskJson(evaluation, redactText), null, 1)}\n`;
