import { formatNumber } from '../format-number.ts';
import type { CompressReport } from './report.ts';

/** Formats a report as text for a user: reason, savings, losses and cost. Contains no conversation text. */
export function reportMessage(report: Omit<CompressReport, 'message'>): string {
  const { reason, failure, auxiliaryFailure, overTargetTokens, warnings } = report;
  const sentences = [reason, saved(report), done(report), lost(report), cost(report)];
  if (failure && failure.message !== reason) sentences.push(failure.message);
  if (auxiliaryFailure) sentences.push(`The auxiliary summarizer failed first: ${auxiliaryFailure.message}`);
  if (overTargetTokens > 0) sentences.push(`The target was missed by ${formatNumber(overTargetTokens)} tokens.`);
  return [...sentences, ...warnings].filter((sentence) => sentence !== '').join(' ');
}

function saved({ tokensBefore, tokensAfter }: Omit<CompressReport, 'message'>): string {
  if (tokensAfter >= tokensBefore) return '';
  const share = Math.round((1 - tokensAfter / tokensBefore) * 100);
  return `The prompt went from ${formatNumber(tokensBefore)} to ${formatNumber(tokensAfter)} tokens (${share} % less).`;
}

function done(report: Omit<CompressReport, 'message'>): string {
  const { messagesBefore, kept, rewritten, carried, summarized, summarizedBy, summaryTokens } = report;
  const parts = [
    rewritten > 0 ? `${formatNumber(rewritten)} shortened` : '',
    summarized > 0 ? `${formatNumber(summarized)} summarized` : '',
    carried > 0 ? `${formatNumber(carried)} carried verbatim` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  const by =
    summarized > 0 && summarizedBy !== null
      ? ` The summary of ${formatNumber(summaryTokens)} tokens was written by ${summarizedBy}.`
      : '';
  return `Of ${messages(messagesBefore)}, ${formatNumber(kept)} stayed unchanged, ${parts.join(', ')}.${by}`;
}

function lost({ dropped }: Omit<CompressReport, 'message'>): string {
  return dropped === 0 ? '' : `${messages(dropped)} ${dropped === 1 ? 'was' : 'were'} dropped without a summary.`;
}

function cost({ modelCalls }: Omit<CompressReport, 'message'>): string {
  return modelCalls === 0 ? 'No model was called.' : `It took ${modelCalls} model call${modelCalls === 1 ? '' : 's'}.`;
}

function messages(count: number): string {
  return `${formatNumber(count)} message${count === 1 ? '' : 's'}`;
}
