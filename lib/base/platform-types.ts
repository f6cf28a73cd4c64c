/**
 * Types of the platform in public declarations. A program without `@types/node` and without `lib: ["DOM"]` has no such
 * types, and gets the members that the library uses. All others get the type that they know.
 */

/** `AbortSignal`. In a program without this type: its members that the library uses. */
export type AbortSignalLike = typeof globalThis extends { AbortSignal: { prototype: infer T } }
  ? T
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      throwIfAborted(): void;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** `Blob`. In a program without this type: its members that the library uses. */
export type BlobLike = typeof globalThis extends { Blob: { prototype: infer T } }
  ? T
  : {
      readonly size: number;
      readonly type: string;
      arrayBuffer(): Promise<ArrayBuffer>;
      slice(start?: number, end?: number, type?: string): unknown;
      stream(): unknown;
    };
