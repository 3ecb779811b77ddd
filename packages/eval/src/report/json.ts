import { redactText } from '@palimpsest/comparison/redact-input';
import { maskedJson } from '@palimpsest/core/authoring';
import type { Evaluation } from '../evaluate/evaluation.ts';

/** Formats an evaluation as JSON, with secrets masked: names of what was lost come from transcripts. */
export const evaluationJson = (evaluation: Evaluation): string =>
  `${JSON.stringify(maskedJson(evaluation, redactText), null, 1)}\n`;
