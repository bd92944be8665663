import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../docs/src/search/question.ts';

describe('the words of a question', () => {
  it.each([
    ['how do I create a deal?', ['create', 'deal']],
    ['Can I restore a deleted contact', ['restore', 'deleted', 'contact']],
    ['Is there a rate limit?', ['rate', 'limit']],
    ["What's the timeout", ['timeout']],
    ['how many emails per second', ['emails', 'per', 'second']],
    ['How long may the title be?', ['title']],
  ])('of “%s” exclude question words: %j', (question, words) => {
    expect(wordsOf(question)).toEqual(words);
  });

  it.each([
    ['deals.changePipeline', ['deals.changePipeline']],
    ['api.crm.deals.create()', ['api.crm.deals.create']],
    ['POST /deals/get-list', ['POST', 'deals/get-list']],
    ['“attachments_binary”,', ['attachments_binary']],
    ['PUT /crm/v1/deals/{dealId}', ['PUT', 'crm/v1/deals/{dealId']],
    ['error 3087:', ['error', '3087']],
  ])('of “%s” keep names whole: %j', (question, words) => {
    expect(wordsOf(question)).toEqual(words);
  });

  it.each(['to', 'what is it', 'How many'])('are all words of “%s” if all are question words', (question) => {
    expect(wordsOf(question)).toEqual(question.split(' '));
  });

  it.each(['long list', 'too many requests'])('include a quantity outside a question: %s', (question) => {
    expect(wordsOf(question)).toEqual(question.split(' '));
  });

  it.each(['', '  ', '?!'])('are empty for “%s”', (question) => {
    expect(wordsOf(question)).toEqual([]);
  });
});
