import asyncHooks, { type AsyncHook, AsyncResource, type HookCallbacks } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';

/**
 * `node:test` follows every promise, to name the test of an uncaught error. This takes a fifth of the processor time of
 * a run. Here it tracks only the tests themselves, since it finds the suite of a test by them. An uncaught error is
 * printed with its stack, and still fails its file.
 */
const { createHook } = asyncHooks;
const { PARLANCE_TEST_FOLDER: folder } = process.env;
const { runInAsyncScope } = AsyncResource.prototype;

function followTestsOnly({ init }: HookCallbacks): AsyncHook {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) => {
      console.error(error);
      // It belongs to no file that could be played again.
      if (folder) writeFileSync(`${folder}/uncaught`, '');
    });
  const known = new WeakSet<AsyncResource>();
  Object.assign(AsyncResource.prototype, {
    runInAsyncScope(this: AsyncResource, ...args: unknown[]) {
      if ('subtests' in this && !known.has(this)) {
        known.add(this);
        init?.(this.asyncId(), 'Test', this.triggerAsyncId(), this);
      }
      return Reflect.apply(runInAsyncScope, this, args);
    },
  });
  const hook: AsyncHook = { enable: () => hook, disable: () => hook };
  return hook;
}

Object.assign(asyncHooks, {
  createHook: (callbacks: HookCallbacks) =>
    new Error().stack?.includes('node:internal/test_runner') ? followTestsOnly(callbacks) : createHook(callbacks),
});
