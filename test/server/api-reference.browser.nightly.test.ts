import { apiReferenceIn, OTHERS } from './api-reference.ts';

apiReferenceIn(OTHERS);
