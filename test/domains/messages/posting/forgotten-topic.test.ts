import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const FILE = fileURLToPath(new URL('program.ts', import.meta.url));

/** Errors of the compiler for a program with a session. */
function problemsOf(call: string): string[] {
  const text = `import type { Operations } from '../../../../lib/chat/generated.ts';
    declare const session: Operations;
    ${call};`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === FILE || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023) : getSourceFile(name, ...rest);
  const program = ts.createProgram([FILE], options, host);
  const diagnostics = program.getSemanticDiagnostics(program.getSourceFile(FILE));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

for (const [call, missing] of Object.entries({
  "session.messages.send({ type: 'channel', to: 'general', content: 'Soup' })": 'topic',
  "session.messages.send({ type: 'stream', to: 3, content: 'Soup', read_by_sender: true })": 'topic',
  "session.messages.send({ type: 'channel', to: 'general', topic: 'lunch' })": 'content',
  "session.scheduledMessages.create({ type: 'channel', to: 3, content: 'Soup', scheduled_delivery_timestamp: 1 })":
    'topic',
})) {
  test(`E6: the compiler reports the missing ${missing} of ${call}`, () => {
    const [problem = '', ...more] = problemsOf(call);
    assert.match(problem, new RegExp(`Property '${missing}' is missing`));
    assert.doesNotMatch(problem, /'subject' is missing/);
    assert.deepEqual(more, []);
  });
}

test('E6: complete calls compile', () => {
  for (const call of [
    "session.messages.send({ type: 'channel', to: 'general', topic: 'lunch', content: 'Soup' })",
    "session.messages.send({ type: 'direct', to: [9], content: 'Soup' })",
  ])
    assert.deepEqual(problemsOf(call), []);
});
