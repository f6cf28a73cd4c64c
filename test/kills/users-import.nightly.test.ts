import { killImports } from './users-import.ts';

killImports(10_000);
