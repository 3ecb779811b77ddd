export { excerptGap, excerptKey, excerptSource, selectLines } from './salience/excerpt/select-lines.ts';
export { isStep } from './salience/kinds/call-purpose.ts';
export { failingLines } from './salience/kinds/failing-lines.ts';
export { outcomeLines } from './salience/kinds/outcome-lines.ts';
export { type LineRanks, rankLines } from './salience/rank/rank-lines.ts';
export { focusWords, type RankedTranscriptLine, rankTranscriptLines } from './salience/rank/rank-transcript-lines.ts';
export { classGain, worthClass, worthClasses } from './salience/rank/worth-classes.ts';
export { type CallText, callText } from './salience/read/call-text.ts';
export { eachIdentifier, identifiersOf } from './salience/read/identifiers.ts';
export { withoutData } from './salience/read/plain-text.ts';
export {
  bareText,
  readTranscriptLines,
  type TranscriptCall,
  type TranscriptLine,
  type TranscriptLines,
  unverifiedSummary,
} from './salience/read/read-transcript-lines.ts';
export { redactMessage } from './salience/read/redact-message.ts';
export { splitsPair, startOf, truncate } from './salience/text/cut.ts';
export { oneLine } from './salience/text/one-line.ts';
