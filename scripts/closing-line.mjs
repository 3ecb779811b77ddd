// Says in one plain line how the last test run ended, for whoever reads only the end of a log.
import { readFile } from 'node:fs/promises';

const file = new URL('../node_modules/.cache/vitest-results.json', import.meta.url);
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(await readFile(file, 'utf8'));
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
