import { type BlockRule, isHeading, isRule } from './rule.ts';

export const heading: BlockRule = (lines, start) => {
  const line = lines.at(start);
  if (!isHeading(line)) return undefined;
  const level = /^#+/.exec(line)?.[0].length ?? 1;
  let end = line.length;
  while (line[end - 1] === '#') end -= 1;
  return {
    next: start + 1,
    blocks: [{ type: 'heading', level, text: line.slice(level, Math.max(level, end)).trim() }],
  };
};

export const rule: BlockRule = (lines, start) =>
  isRule(lines.at(start)) ? { next: start + 1, blocks: [{ type: 'rule' }] } : undefined;
