/**
 * Checks the English that users and developers read: documents, help, errors, docstrings and comments.
 * `npm run prose -- PATH` lists the findings in one file or folder, including the passive voice.
 */
import { type Finding, findingsIn } from './rules.ts';
import { proseOfProject } from './texts.ts';

/** Sentences in the passive voice. It may only fall: rewrite one before you add one. */
const MAX_PASSIVE = 347;

const [folder] = process.argv.slice(2);
const found: (Finding & { path: string; line: number })[] = [];
for (const { path, line, text } of proseOfProject()) {
  if (folder && !path.startsWith(folder)) continue;
  for (const finding of findingsIn(text)) found.push({ ...finding, path, line: line + finding.below });
}
const passive = found.filter(({ rule }) => rule === 'passive');
const faults = found.filter(({ rule }) => rule !== 'passive');
for (const { path, line, says } of folder ? found : faults) console.log(`${path}:${line} ${says}`);

if (!folder && passive.length > MAX_PASSIVE) {
  console.log(`${passive.length} sentences are in the passive voice, at most ${MAX_PASSIVE} may be.`);
  console.log('List them with: npm run prose -- PATH');
}
if (!folder && passive.length < MAX_PASSIVE) {
  console.log(`Well done: lower MAX_PASSIVE in test/prose/lint.ts to ${passive.length}.`);
}
if (faults.length > 0 || (!folder && passive.length !== MAX_PASSIVE)) process.exitCode = 1;
