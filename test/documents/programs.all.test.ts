import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { type Block, blocksOf, DOCUMENTS } from './blocks.ts';
import { type Programs, writePrograms } from './programs.ts';

const blocks = (await Promise.all(DOCUMENTS.map(blocksOf))).flat().filter(({ language }) => language === 'ts');
const fileOf = ({ marks }: Block) => marks.find((mark) => mark.includes('/'));
const programs = blocks.filter((block) => fileOf(block) === undefined);

describe('the programs of the documents', () => {
  let written: Programs;
  before(async () => {
    written = await writePrograms(programs);
  });
  after(() => written.remove());

  it('compile without type errors', () => assert.equal(written.typeErrors(), ''));

  for (const block of programs.filter(({ marks }) => !marks.includes('check'))) {
    it(`${block.place} runs and prints what its comments say`, async () => {
      const said = [...block.text.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`);
      assert.equal(await written.run(block), said.join(''));
    });
  }

  for (const block of blocks) {
    const file = fileOf(block);
    if (file) {
      it(`${block.place} shows the code of ${file} unchanged`, async () => {
        assert.ok((await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).includes(block.text));
      });
    }
  }
});
